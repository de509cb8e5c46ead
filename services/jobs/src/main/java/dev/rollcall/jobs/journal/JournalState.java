package dev.rollcall.jobs.journal;

import dev.rollcall.model.JobId;
import dev.rollcall.port.Jobs.JobSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the lines of a journal amount to: the jobs that have begun and not ended. */
public final class JournalState {
  /** Session numbers that a job may give out before the first line about them. */
  public static final long FIRST_SESSIONS = 64;

  /**
   * @param sessions the highest number that may have been given out
   */
  public record Entry(JobSpec spec, String bootId, boolean closing, long sessions) {}

  private final Map<JobId, Entry> entries = new TreeMap<>();

  public void apply(JournalLine line) {
    switch (line) {
      case JournalLine.Begin(JobSpec spec, String bootId) ->
          entries.put(spec.id(), new Entry(spec, bootId, false, FIRST_SESSIONS));
      case JournalLine.Sessions(JobId job, long upTo) ->
          entries.computeIfPresent(
              job,
              (_, was) ->
                  new Entry(was.spec, was.bootId, was.closing, Math.max(upTo, was.sessions)));
      case JournalLine.Closing(JobId job) ->
          entries.computeIfPresent(
              job, (_, was) -> new Entry(was.spec, was.bootId, true, was.sessions));
      case JournalLine.End(JobId job) -> entries.remove(job);
    }
  }

  public int size() {
    return entries.size();
  }

  public List<Entry> entries() {
    return List.copyOf(entries.values());
  }

  /** The fewest lines that amount to the same. */
  public List<JournalLine> lines() {
    List<JournalLine> lines = new ArrayList<>();
    for (Entry entry : entries.values()) {
      JobId job = entry.spec.id();
      lines.add(new JournalLine.Begin(entry.spec, entry.bootId));
      if (entry.sessions > FIRST_SESSIONS) {
        lines.add(new JournalLine.Sessions(job, entry.sessions));
      }
      if (entry.closing) {
        lines.add(new JournalLine.Closing(job));
      }
    }
    return lines;
  }
}
