package dev.rollcall.jobs.journal;

import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.port.Jobs.JobSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** The jobs in a journal that have started and not ended. */
public final class JournalState {
  /** Session numbers that a job may give out before the first line about them. */
  public static final long FIRST_SESSIONS = 64;

  /**
   * @param spec with the allocation that the job has now
   * @param state OPEN, SUSPENDED or CLOSING
   * @param sessions the highest number that may have been given out
   * @param steps the steps that were begun, with what is their own
   */
  public record Entry(
      JobSpec spec, String bootId, JobState state, long sessions, Map<StepId, Allocation> steps) {
    public Entry {
      steps = Collections.unmodifiableMap(new LinkedHashMap<>(steps));
    }

    Entry with(Allocation allocation) {
      JobSpec changed =
          new JobSpec(spec.id(), spec.uid(), spec.gid(), spec.startedAt(), allocation);
      return new Entry(changed, bootId, state, sessions, steps);
    }

    Entry with(StepId step, Allocation own) {
      Map<StepId, Allocation> all = new LinkedHashMap<>(steps);
      all.put(step, own);
      return new Entry(spec, bootId, state, sessions, all);
    }

    Entry upTo(long session) {
      return new Entry(spec, bootId, state, Math.max(session, sessions), steps);
    }

    /** What ends does nothing else any more. */
    Entry now(JobState next) {
      JobState last = state == JobState.CLOSING ? state : next;
      return new Entry(spec, bootId, last, sessions, steps);
    }
  }

  private final Map<JobId, Entry> entries = new TreeMap<>();

  /** Jobs with a line of a later version, until they end: all their lines, in order. */
  private final Map<JobId, List<JobJournalLine>> kept = new TreeMap<>();

  public void apply(JobJournalLine line) {
    if (line instanceof JobJournalLine.Later || kept.containsKey(line.job())) {
      kept.computeIfAbsent(line.job(), this::lines).add(line);
    }
    change(line);
  }

  private void change(JobJournalLine line) {
    switch (line) {
      case JobJournalLine.Begin(JobSpec spec, String bootId) ->
          entries.put(spec.id(), new Entry(spec, bootId, JobState.OPEN, FIRST_SESSIONS, Map.of()));
      case JobJournalLine.Allocated(JobId job, Optional<StepId> step, Allocation allocation) ->
          entries.computeIfPresent(
              job,
              (_, was) ->
                  step.isPresent() ? was.with(step.get(), allocation) : was.with(allocation));
      case JobJournalLine.Sessions(JobId job, long upTo) ->
          entries.computeIfPresent(job, (_, was) -> was.upTo(upTo));
      case JobJournalLine.Became(JobId job, JobState state) when state == JobState.CLOSED -> {
        entries.remove(job);
        kept.remove(job);
      }
      case JobJournalLine.Became(JobId job, JobState state) ->
          entries.computeIfPresent(job, (_, was) -> was.now(state));
      case JobJournalLine.Later later -> later.known().ifPresent(this::change);
    }
  }

  /** Jobs, the steps with something of their own, and lines that are kept. */
  public int size() {
    return entries.values().stream().mapToInt(entry -> 1 + entry.steps.size()).sum()
        + kept.values().stream().mapToInt(List::size).sum();
  }

  public List<Entry> entries() {
    return List.copyOf(entries.values());
  }

  /** The fewest lines that amount to the same. */
  public List<JobJournalLine> lines() {
    var jobs = new TreeSet<>(entries.keySet());
    jobs.addAll(kept.keySet());
    return jobs.stream().flatMap(job -> kept.getOrDefault(job, lines(job)).stream()).toList();
  }

  private List<JobJournalLine> lines(JobId job) {
    List<JobJournalLine> lines = new ArrayList<>();
    Entry entry = entries.get(job);
    if (entry == null) {
      return lines;
    }
    lines.add(new JobJournalLine.Begin(entry.spec, entry.bootId));
    entry.steps.forEach(
        (step, own) -> lines.add(new JobJournalLine.Allocated(job, Optional.of(step), own)));
    if (entry.sessions > FIRST_SESSIONS) {
      lines.add(new JobJournalLine.Sessions(job, entry.sessions));
    }
    if (entry.state != JobState.OPEN) {
      lines.add(new JobJournalLine.Became(job, entry.state));
    }
    return lines;
  }
}
