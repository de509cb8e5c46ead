package dev.rollcall.linux.cgroup;

import static dev.rollcall.linux.cgroup.CgroupUsage.either;

import dev.rollcall.model.usage.Measure;
import dev.rollcall.model.usage.Measures;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Measures a cgroup, with all below it, often and cheaply: one read of each file, no walk in v2.
 * Sources as in {@link CgroupUsage}, and {@code throttled_usec} of {@code cpu.stat}, {@code
 * memory.max}, {@code memory.high}, {@code memory.swap.current}, {@code oom} of {@code
 * memory.events} (v1 {@code memory.failcnt}), operations of {@code io.stat}, {@code cpuset.cpus}
 * and {@code cpu.max}. In v2 {@code memory.events} has the OOM kills of all below, unless cgroup2
 * is mounted with {@code memory_localevents}.
 */
public final class CgroupMeasures {
  /** v1 without a limit: LONG_MAX in whole pages (page_counter.h), of 64 KiB at most. */
  private static final long UNLIMITED = Long.MAX_VALUE - (64 << 10);

  private static final int MILLI = 1_000;

  private final CgroupFiles cgroup;
  private final boolean v2;
  private final Measures measures = new Measures();

  private CgroupMeasures(CgroupFiles cgroup) {
    this.cgroup = cgroup;
    this.v2 = cgroup.directories().size() == 1 && cgroup.text("cgroup.controllers").isPresent();
  }

  /**
   * Empty if the cgroup is gone, or was removed meanwhile.
   *
   * @param gone what was counted in cgroups below it that are removed
   */
  public static Optional<Measures> read(CgroupFiles cgroup, Carried gone) {
    var reading = new CgroupMeasures(cgroup);
    reading.memory();
    reading.io(gone);
    reading.oomKills(gone);
    reading.measures.put(Measure.THREADS, cgroup.number("pids.current"));
    reading.pressure();
    reading.cpus();
    // Last: what can be read of a cgroup that exists was read of one.
    return reading.cpu() ? Optional.of(reading.measures) : Optional.empty();
  }

  private void memory() {
    measures.put(Measure.MEMORY, either(cgroup, "memory.current", "memory.usage_in_bytes"));
    measures.put(Measure.MEMORY_PEAK, either(cgroup, "memory.peak", "memory.max_usage_in_bytes"));
    OptionalLong limit = bound(v2 ? "memory.max" : "memory.limit_in_bytes");
    OptionalLong allotted = bound(v2 ? "memory.high" : "memory.soft_limit_in_bytes");
    measures.put(Measure.MEMORY_LIMIT, limit);
    measures.put(Measure.MEMORY_ALLOTTED, allotted.isPresent() ? allotted : limit);
    measures.put(Measure.MEMORY_ANONYMOUS, CgroupUsage.stat(cgroup, "anon", "total_rss"));
    measures.put(Measure.MEMORY_CACHE, CgroupUsage.stat(cgroup, "file", "total_cache"));
    measures.put(
        Measure.MEMORY_FAILURES,
        v2 ? cgroup.keyed("memory.events", "oom") : cgroup.number("memory.failcnt"));
    measures.put(
        Measure.SWAP,
        v2 ? cgroup.number("memory.swap.current") : cgroup.keyed("memory.stat", "total_swap"));
  }

  private OptionalLong bound(String file) {
    OptionalLong bound = cgroup.number(file);
    return bound.orElse(0) >= UNLIMITED ? OptionalLong.empty() : bound;
  }

  private void io(Carried gone) {
    measures.put(
        Measure.READ_BYTES, CgroupUsage.bytes(cgroup, "rbytes=", "Read ", gone.readBytes()));
    measures.put(
        Measure.WRITTEN_BYTES, CgroupUsage.bytes(cgroup, "wbytes=", "Write ", gone.writtenBytes()));
    measures.put(Measure.READS, cgroup.sum("io.stat", _ -> true, "rios="));
    measures.put(Measure.WRITES, cgroup.sum("io.stat", _ -> true, "wios="));
  }

  private void oomKills(Carried gone) {
    measures.put(
        Measure.OOM_KILLS,
        v2 ? cgroup.keyed("memory.events", "oom_kill") : LimitHits.read(cgroup, gone).oomKills());
  }

  private void pressure() {
    pressure("cpu", Measure.PRESSURE_CPU_WAITING, Measure.PRESSURE_CPU_STALLED);
    pressure("memory", Measure.PRESSURE_MEMORY_WAITING, Measure.PRESSURE_MEMORY_STALLED);
    pressure("io", Measure.PRESSURE_IO_WAITING, Measure.PRESSURE_IO_STALLED);
  }

  private void pressure(String resource, Measure waiting, Measure stalled) {
    String file = resource + ".pressure";
    measures.put(waiting, cgroup.word(file, "some ", "total="));
    measures.put(stalled, cgroup.word(file, "full ", "total="));
  }

  private void cpus() {
    long inSet = cgroup.text("cpuset.cpus").map(CgroupMeasures::count).orElse(0L);
    long byQuota = v2 ? quota(cgroup.text("cpu.max").orElse("")) : v1Quota();
    measures.put(
        Measure.CPUS,
        byQuota > 0 && (inSet == 0 || byQuota < MILLI * inSet)
            ? byQuota
            : inSet > 0 ? MILLI * inSet : -1);
  }

  /** Of a list such as {@code 0-3,8}; 0 of what is none. */
  private static long count(String list) {
    long count = 0;
    for (String range : list.strip().split(",", -1)) {
      int dash = range.indexOf('-');
      try {
        count +=
            dash < 0
                ? (range.isEmpty() ? 0 : 1)
                : Integer.parseInt(range, dash + 1, range.length(), 10)
                    - Integer.parseInt(range, 0, dash, 10)
                    + 1;
      } catch (NumberFormatException unknown) {
        return 0;
      }
    }
    return count;
  }

  /** {@code QUOTA PERIOD}; 0 for {@code max}. */
  private static long quota(String text) {
    String[] words = text.strip().split(" ", -1);
    try {
      return words.length == 2 && !words[0].equals("max")
          ? MILLI * Long.parseLong(words[0]) / Math.max(1, Long.parseLong(words[1]))
          : 0;
    } catch (NumberFormatException unknown) {
      return 0;
    }
  }

  private long v1Quota() {
    long quota = cgroup.number("cpu.cfs_quota_us").orElse(0); // -1 without one
    return MILLI * quota / Math.max(1, cgroup.number("cpu.cfs_period_us").orElse(1));
  }

  /** Whether the cgroup exists. */
  private boolean cpu() {
    CgroupUsage.Cpu cpu = CgroupUsage.Cpu.read(cgroup);
    measures.put(Measure.CPU_USER, cpu.user());
    measures.put(Measure.CPU_SYSTEM, cpu.system());
    OptionalLong throttled = cgroup.keyed("cpu.stat", v2 ? "throttled_usec" : "throttled_time");
    measures.put(
        Measure.CPU_THROTTLED, throttled.isEmpty() ? -1 : throttled.getAsLong() / (v2 ? 1 : 1_000));
    return v2
        ? cpu.user().isPresent()
        : cgroup.directories().stream().anyMatch(CgroupDirectory::exists);
  }
}
