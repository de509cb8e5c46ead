package dev.rollcall.model;

import java.util.Optional;

/**
 * The batch system's number of a job.
 *
 * @param number 1 to 2^32 - 1, the range of Slurm's job ids
 */
public record JobId(long number) implements Comparable<JobId> {
  public static final long LARGEST = 0xffff_ffffL;

  private static final String FORM = "[1-9][0-9]{0,9}";

  public JobId {
    if (number < 1 || number > LARGEST) {
      throw new IllegalArgumentException("job id " + number + " is not within 1 to " + LARGEST);
    }
  }

  /** Reads a decimal number without sign or leading zeros. */
  public static JobId parse(String text) {
    if (!text.matches(FORM)) {
      throw new IllegalArgumentException("'" + text + "' is not a job id");
    }
    return new JobId(Long.parseLong(text));
  }

  /** The same; empty if the text is something else, or a larger number. */
  public static Optional<JobId> find(String text) {
    return text.matches(FORM) && Long.parseLong(text) <= LARGEST
        ? Optional.of(parse(text))
        : Optional.empty();
  }

  @Override
  public int compareTo(JobId other) {
    return Long.compare(number, other.number);
  }

  @Override
  public String toString() {
    return Long.toString(number);
  }
}
