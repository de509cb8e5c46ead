package dev.rollcall.agent.series;

import dev.rollcall.agent.series.Series.Facts;
import dev.rollcall.agent.series.Series.Level;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.usage.Measured;
import dev.rollcall.model.usage.Measures;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Keeps the last measurement of each job, step and session, and of those that ended within two
 * minutes: two scrapes of each minute see a job however short it was. At most 4,096 together, of
 * about 1 KiB each in memory; the last 1,024 are for jobs. Thread-safe; its lock is held for
 * microseconds.
 */
final class KnownSeries {
  static final int MOST = 4_096;
  private static final int MOST_WITHOUT_JOBS = MOST * 3 / 4;
  private static final long KEPT_NANOS = Duration.ofMinutes(2).toNanos();

  private final LongSupplier nanos;
  private final Map<String, Series> series = new LinkedHashMap<>();
  private long round;
  private long dropped;

  KnownSeries(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Begins a round: what it does not see has ended when it is over. */
  synchronized void begin() {
    round++;
    series
        .values()
        .removeIf(
            each -> each.ended.isPresent() && nanos.getAsLong() - each.endedNanos > KEPT_NANOS);
  }

  /** Enters a job, or what is known of it now. False if there is no room for it. */
  synchronized boolean enter(Job job, Map<String, String> variables, DeviceRules devices) {
    var nothing =
        new Measured(
            job.id(), Optional.empty(), OptionalLong.empty(), job.startedAt(), new Measures());
    Optional<Series> its = find(nothing);
    its.ifPresent(found -> found.facts = Optional.of(Facts.of(job, variables, devices)));
    return its.isPresent();
  }

  /** False if there is no room for it. */
  synchronized boolean update(Measured measured) {
    Optional<Series> its = find(measured);
    its.ifPresent(found -> found.update(measured));
    return its.isPresent();
  }

  private Optional<Series> find(Measured measured) {
    String labels = Series.labels(measured);
    Series found = series.get(labels);
    // Another run of the job, under the same number.
    if (found == null || !found.began.equals(measured.began())) {
      Level level = Series.level(measured);
      if (found == null && !hasRoom(level)) {
        return Optional.empty();
      }
      found = new Series(level, labels, measured.began());
      series.put(labels, found);
    }
    found.round = round;
    return Optional.of(found);
  }

  private boolean hasRoom(Level level) {
    int most = level == Level.JOB ? MOST : MOST_WITHOUT_JOBS;
    if (series.size() < most) {
      return true;
    }
    // The oldest one that has ended gives way.
    for (Iterator<Series> all = series.values().iterator(); all.hasNext(); ) {
      if (all.next().ended.isPresent()) {
        all.remove();
        dropped++;
        return series.size() < most;
      }
    }
    return false;
  }

  /** Adds calls of a job; false if it has no series. */
  synchronized boolean called(JobId job, String service, long calls) {
    Series its = series.get(Series.labels(job));
    if (its != null) {
      its.calls.merge(service, calls, Long::sum);
    }
    return its != null;
  }

  /** Takes the last account of something that has ended. */
  synchronized void settle(Measured last, Instant ended) {
    Optional<Series> its = find(last);
    if (its.isEmpty()) {
      dropped++;
    } else if (!its.get().settled) {
      its.get().update(last);
      its.get().end(ended, nanos.getAsLong());
      its.get().settled = true;
    }
  }

  /** Ends the round: what no measurement saw has ended. */
  synchronized void end() {
    series.values().stream()
        .filter(each -> each.round != round && each.ended.isEmpty())
        .forEach(each -> each.end(Instant.now(), nanos.getAsLong()));
  }

  synchronized List<Series> all() {
    return List.copyOf(series.values());
  }

  /** How many that had ended lost their series too early so far, for lack of room. */
  synchronized long dropped() {
    return dropped;
  }
}
