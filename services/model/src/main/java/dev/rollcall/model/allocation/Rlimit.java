package dev.rollcall.model.allocation;

import dev.rollcall.model.Worded;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A resource limit of processes, getrlimit(2). {@link #UNLIMITED} stands for RLIM_INFINITY. */
public record Rlimit(Resource resource, long soft, long hard) {
  /** By the kernel's numbers, which are the ordinals (asm-generic/resource.h). */
  public enum Resource implements Worded {
    CPU,
    FSIZE,
    DATA,
    STACK,
    CORE,
    RSS,
    NPROC,
    NOFILE,
    MEMLOCK,
    AS,
    LOCKS,
    SIGPENDING,
    MSGQUEUE,
    NICE,
    RTPRIO,
    RTTIME;

    /** The kernel's. */
    @SuppressWarnings("EnumOrdinal")
    public int number() {
      return ordinal();
    }

    /**
     * @throws IllegalArgumentException naming the word
     */
    public static Resource of(String word) {
      return Arrays.stream(values())
          .filter(each -> each.word().equals(word))
          .findFirst()
          .orElseThrow(
              () -> new IllegalArgumentException("'" + word + "' is not a resource limit"));
    }
  }

  public static final long UNLIMITED = -1;

  private static final Pattern FORM =
      Pattern.compile("([a-z]+)=([0-9]{1,19}|unlimited)(?::([0-9]{1,19}|unlimited))?");

  public Rlimit {
    if (soft < UNLIMITED || hard < UNLIMITED) {
      throw new IllegalArgumentException(
          "rlimit " + resource + " " + soft + ":" + hard + " is negative");
    }
    if (Long.compareUnsigned(soft, hard) > 0) {
      throw new IllegalArgumentException(
          "rlimit " + resource + ": soft " + soft + " is over hard " + hard);
    }
  }

  /**
   * Reads {@code nofile=1024:4096}, soft and hard; one number is both.
   *
   * @throws IllegalArgumentException naming the text
   */
  public static Rlimit parse(String text) {
    Matcher found = FORM.matcher(text);
    if (!found.matches()) {
      throw new IllegalArgumentException("'" + text + "' is not a limit such as nofile=1024:4096");
    }
    long soft = number(found.group(2));
    return new Rlimit(
        Resource.of(found.group(1)), soft, found.group(3) == null ? soft : number(found.group(3)));
  }

  private static long number(String text) {
    return text.equals("unlimited") ? UNLIMITED : Long.parseLong(text);
  }

  /** The form that {@link #parse} reads. */
  @Override
  public String toString() {
    return resource.word() + "=" + text(soft) + ":" + text(hard);
  }

  private static String text(long number) {
    return number == UNLIMITED ? "unlimited" : Long.toString(number);
  }
}
