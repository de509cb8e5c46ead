package dev.rollcall.model;

import java.time.Instant;
import java.util.Comparator;

/** A job on one node. */
public record Job(JobId id, int uid, int gid, Instant startedAt, JobState state, JobLabel label) {
  /** By start, then by id: the last one is the newest. */
  public static final Comparator<Job> OLDEST_FIRST =
      Comparator.comparing(Job::startedAt).thenComparing(Job::id);

  /** Without the words of users. */
  public Job(JobId id, int uid, int gid, Instant startedAt, JobState state) {
    this(id, uid, gid, startedAt, state, JobLabel.NONE);
  }

  public Job in(JobState next) {
    return new Job(id, uid, gid, startedAt, next, label);
  }

  public Job with(JobLabel known) {
    return new Job(id, uid, gid, startedAt, state, known);
  }
}
