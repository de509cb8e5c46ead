package dev.rollcall.linux.cgroup;

import java.util.Optional;
import java.util.function.LongBinaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keeps counts of removed cgroups that the kernel does not add to their parents: OOM kills and
 * refused forks counted in place (see {@link LimitHits}), and v1's {@code
 * blkio.throttle.io_service_bytes_recursive}, which adds up existing cgroups only (seen with Linux
 * 6.18).
 */
public record Carried(long readBytes, long writtenBytes, long oomKills, long pidsRefused) {
  public static final Carried NONE = new Carried(0, 0, 0, 0);

  /** Of cgroups that somebody else removes. Only to be read with. */
  public static final Carried UNKNOWN = new Carried(0, 0, -1, 0);

  private static final Pattern TEXT =
      Pattern.compile("(\\d{1,18}) (\\d{1,18}) (\\d{1,18}) (\\d{1,18})");

  /** What is lost to those above this cgroup when it is removed with all below it. */
  public static Carried of(CgroupFiles cgroup) {
    LimitHits hits = LimitHits.inPlace(cgroup);
    return new Carried(
        CgroupUsage.v1Bytes(cgroup, "Read ").orElse(0),
        CgroupUsage.v1Bytes(cgroup, "Write ").orElse(0),
        hits.oomKills().orElse(0),
        hits.pidsRefused().orElse(0));
  }

  public Carried plus(Carried other) {
    return each(other, Long::sum);
  }

  /** Never negative. */
  public Carried minus(Carried other) {
    return each(other, (mine, its) -> Math.max(0, mine - its));
  }

  /** Of both what is more. */
  public Carried most(Carried other) {
    return each(other, Math::max);
  }

  private Carried each(Carried other, LongBinaryOperator both) {
    return new Carried(
        both.applyAsLong(readBytes, other.readBytes),
        both.applyAsLong(writtenBytes, other.writtenBytes),
        both.applyAsLong(oomKills, other.oomKills),
        both.applyAsLong(pidsRefused, other.pidsRefused));
  }

  /** Four numbers with a space between. */
  public String text() {
    return readBytes + " " + writtenBytes + " " + oomKills + " " + pidsRefused;
  }

  /** What {@link #text} wrote. */
  public static Optional<Carried> parse(String text) {
    Matcher found = TEXT.matcher(text);
    return found.matches()
        ? Optional.of(
            new Carried(number(found, 1), number(found, 2), number(found, 3), number(found, 4)))
        : Optional.empty();
  }

  private static long number(Matcher found, int group) {
    return Long.parseLong(found.group(group));
  }
}
