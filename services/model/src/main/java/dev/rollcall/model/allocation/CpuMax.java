package dev.rollcall.model.allocation;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The CPU time of each period: {@code cpu.max} of v2, {@code cpu.cfs_quota_us} and {@code
 * cpu.cfs_period_us} of v1. Both in microseconds; the kernel wants a quota of at least 1,000 and a
 * period of 1,000 to 1,000,000 (Linux, Documentation/scheduler/sched-bwc).
 */
public record CpuMax(long quotaMicros, long periodMicros) {
  private static final long LEAST = 1_000;
  private static final long LONGEST_PERIOD = 1_000_000;

  /** The kernel's own, when nobody says anything. */
  public static final long USUAL_PERIOD = 100_000;

  private static final Pattern FORM = Pattern.compile("(max|[0-9]{1,19})(?:/([0-9]{1,18}))?");

  public CpuMax {
    if (quotaMicros < LEAST) {
      throw new IllegalArgumentException("cpu quota " + quotaMicros + " is below 1000 us");
    }
    if (periodMicros < LEAST || periodMicros > LONGEST_PERIOD) {
      throw new IllegalArgumentException(
          "cpu period " + periodMicros + " is not within 1000 to 1000000 us");
    }
  }

  /** False: the quota is {@link Limits#UNLIMITED}. */
  public boolean bounded() {
    return quotaMicros != Limits.UNLIMITED;
  }

  /**
   * Reads {@code QUOTA/PERIOD}, or a quota in the usual period; {@code max} is no bound.
   *
   * @throws IllegalArgumentException naming the text
   */
  public static CpuMax parse(String text) {
    Matcher found = FORM.matcher(text);
    if (!found.matches()) {
      throw new IllegalArgumentException("'" + text + "' is not a bound such as 150000/100000");
    }
    long period = found.group(2) == null ? USUAL_PERIOD : Long.parseLong(found.group(2));
    boolean none = found.group(1).equals("max");
    return new CpuMax(none ? Limits.UNLIMITED : Long.parseLong(found.group(1)), period);
  }

  /** The form that {@link #parse} reads. */
  @Override
  public String toString() {
    return (bounded() ? Long.toString(quotaMicros) : "max") + "/" + periodMicros;
  }
}
