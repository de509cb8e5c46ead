package dev.rollcall.model.allocation;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The most that a job or step may use; for an absent value the parent's limit applies.
 *
 * <p>{@link #UNLIMITED} takes a bound of bytes or processes away.
 *
 * @param memoryMax bytes, above which something is killed
 * @param memoryHigh bytes, above which the kernel takes memory back and slows down
 * @param swapMax bytes of swap alone, not of memory and swap together; 0 is none
 * @param cpuWeight share of CPU beside others, 1 to 10,000, 100 when nobody says anything
 * @param pidsMax processes and threads together
 * @param hugetlbMax bytes by page size as the kernel names it: {@code 2MB}, {@code 1GB}
 */
public record Limits(
    Optional<NumberList> cpus,
    Optional<NumberList> mems,
    OptionalLong memoryMax,
    OptionalLong memoryHigh,
    OptionalLong swapMax,
    OptionalInt cpuWeight,
    Optional<CpuMax> cpuMax,
    OptionalLong pidsMax,
    List<IoMax> ioMax,
    Map<String, Long> hugetlbMax) {
  /** In the place of bytes, processes or operations: no bound, {@code max} in the kernel's word. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  /** Nothing is limited. */
  public static final Limits NONE =
      new Limits(
          Optional.empty(),
          Optional.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalInt.empty(),
          Optional.empty(),
          OptionalLong.empty(),
          List.of(),
          Map.of());

  private static final int MOST_WEIGHT = 10_000;

  public Limits {
    atLeast(1, memoryMax, "memory.max");
    atLeast(1, memoryHigh, "memory.high");
    atLeast(0, swapMax, "swap");
    atLeast(1, pidsMax, "pids.max");
    if (cpuWeight.isPresent() && (cpuWeight.getAsInt() < 1 || cpuWeight.getAsInt() > MOST_WEIGHT)) {
      throw new IllegalArgumentException(
          "cpu.weight " + cpuWeight.getAsInt() + " is not within 1 to 10000");
    }
    ioMax = List.copyOf(ioMax);
    hugetlbMax = Map.copyOf(hugetlbMax);
    new TreeMap<>(hugetlbMax)
        .forEach((size, bytes) -> {
          if (!size.matches("[1-9][0-9]{0,5}[KMG]B")) {
            throw new IllegalArgumentException("'" + size + "' is not a page size such as 2MB");
          }
          atLeast(0, OptionalLong.of(bytes), "hugetlb." + size + ".max");
        });
  }

  private static void atLeast(long least, OptionalLong value, String what) {
    if (value.isPresent() && value.getAsLong() < least) {
      throw new IllegalArgumentException(what + " " + value.getAsLong() + " is below " + least);
    }
  }

  public boolean isNone() {
    return equals(NONE);
  }

  /** These, with each limit that the other names in its place; bounds of devices one by one. */
  public Limits with(Limits other) {
    var io = new TreeMap<String, IoMax>();
    ioMax.forEach(each -> io.merge(device(each), each, IoMax::with));
    other.ioMax.forEach(each -> io.merge(device(each), each, IoMax::with));
    var hugetlb = new TreeMap<>(hugetlbMax);
    hugetlb.putAll(other.hugetlbMax);
    return new Limits(
        other.cpus.or(() -> cpus),
        other.mems.or(() -> mems),
        other.memoryMax.isPresent() ? other.memoryMax : memoryMax,
        other.memoryHigh.isPresent() ? other.memoryHigh : memoryHigh,
        other.swapMax.isPresent() ? other.swapMax : swapMax,
        other.cpuWeight.isPresent() ? other.cpuWeight : cpuWeight,
        other.cpuMax.or(() -> cpuMax),
        other.pidsMax.isPresent() ? other.pidsMax : pidsMax,
        List.copyOf(io.values()),
        hugetlb);
  }

  private static String device(IoMax max) {
    return max.major() + ":" + max.minor();
  }
}
