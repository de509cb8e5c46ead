package dev.rollcall.model;

import java.time.Instant;
import java.util.Comparator;

/** A job on one node. */
public record Job(JobId id, int uid, int gid, Instant startedAt, JobState state) {
  /** By start, then by id: the last one is the newest. */
  public static final Comparator<Job> OLDEST_FIRST =
      Comparator.comparing(Job::startedAt).thenComparing(Job::id);

  public Job in(JobState next) {
    return new Job(id, uid, gid, startedAt, next);
  }
}
