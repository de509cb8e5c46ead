package dev.rollcall.agent.series;

import dev.rollcall.agent.series.device.DeviceClaims;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.usage.Measured;
import dev.rollcall.model.usage.Measures;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The last measurement of a job, a step or a session. Changes under the lock of {@link
 * KnownSeries}; read by any thread.
 */
final class Series {
  /** What has series. */
  enum Level {
    JOB,
    STEP,
    SESSION
  }

  /**
   * The names of a job, for people. The job's other variables, which may be large, are not kept.
   *
   * @param account empty if it is unknown, as the others
   */
  record Facts(Job job, String account, String partition, String sluid, DeviceClaims devices) {
    static Facts of(Job job, Map<String, String> variables, DeviceRules devices) {
      return new Facts(
          job,
          variables.getOrDefault("SLURM_JOB_ACCOUNT", ""),
          variables.getOrDefault("SLURM_JOB_PARTITION", ""),
          variables.getOrDefault("SLURM_JOB_SLUID", ""),
          DeviceClaims.of(variables, devices));
    }
  }

  final Level level;
  final String labels;
  final Instant began;
  volatile Measures measures = new Measures();
  volatile Optional<Facts> facts = Optional.empty();

  /** Calls to watched services, by their names. */
  final Map<String, Long> calls = new ConcurrentHashMap<>();

  volatile Optional<Instant> ended = Optional.empty();

  /** Whether it has its last account: what is measured later is left out. */
  boolean settled;

  /** The last round that saw it. */
  long round;

  long endedNanos;

  Series(Level level, String labels, Instant began) {
    this.level = level;
    this.labels = labels;
    this.began = began;
  }

  static Level level(Measured measured) {
    if (measured.step().isEmpty()) {
      return Level.JOB;
    }
    return measured.session().isPresent() ? Level.SESSION : Level.STEP;
  }

  static String labels(JobId job) {
    return "job=\"" + job + "\"";
  }

  /** As the page has them: numbers and words of the kernel and of Slurm, nothing to escape. */
  static String labels(Measured measured) {
    return "job=\""
        + measured.job()
        + measured.step().map(step -> "\",step=\"" + step).orElse("")
        + (measured.session().isPresent() ? "\",session=\"" + measured.session().getAsLong() : "")
        + "\"";
  }

  void update(Measured measured) {
    if (!settled) {
      measures = measured.measures().after(measures);
      ended = Optional.empty();
    }
  }

  /** With what is true after the end. */
  void end(Instant at, long nanos) {
    measures = measures.ended();
    ended = Optional.of(at);
    endedNanos = nanos;
  }
}
