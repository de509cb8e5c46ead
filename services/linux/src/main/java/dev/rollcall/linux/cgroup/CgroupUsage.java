package dev.rollcall.linux.cgroup;

import dev.rollcall.model.usage.MemoryDetails;
import dev.rollcall.model.usage.Pressure;
import dev.rollcall.model.usage.Usage;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Reads what a cgroup used, with all current and former cgroups below it. Sources (cgroup v2:
 * Documentation /admin-guide/cgroup-v2.rst, v1: Documentation/admin-guide/cgroup-v1):
 *
 * <ul>
 *   <li>CPU: {@code cpu.stat}, which every v2 cgroup has without any controller; v1 {@code
 *       cpuacct.usage} for the sum, {@code cpuacct.stat} for how it is divided;
 *   <li>memory: {@code memory.current} and {@code memory.peak} (5.19); v1 {@code
 *       memory.usage_in_bytes} and {@code memory.max_usage_in_bytes}; {@code memory.stat} for its
 *       parts and page faults;
 *   <li>I/O: {@code io.stat}; v1 {@code blkio.throttle.io_service_bytes_recursive}, which does not
 *       have what the kernel writes back later, and since Linux 6.10 counts a device only once it
 *       was throttled for anybody; a file without devices is therefore taken for not counted;
 *   <li>processes: {@code pids.current}, {@code pids.peak} (6.5); without that controller the
 *       processes of {@code cgroup.procs};
 *   <li>limits that were hit: {@link LimitHits};
 *   <li>pressure: {@code cpu.pressure}, {@code memory.pressure}, {@code io.pressure}; v2 only.
 * </ul>
 */
public final class CgroupUsage {
  private static final long NANOS_PER_TICK = 10_000_000; // USER_HZ is 100 for every program

  private static final Predicate<String> DEVICE = Pattern.compile("^\\d+:\\d+ ").asPredicate();

  private CgroupUsage() {}

  /**
   * @param gone what was counted in cgroups below it that are removed
   */
  public static Usage read(CgroupFiles cgroup, Carried gone) {
    Cpu cpu = Cpu.read(cgroup);
    LimitHits hits = LimitHits.read(cgroup, gone);
    return new Usage(
        cpu.user,
        cpu.system,
        either(cgroup, "memory.current", "memory.usage_in_bytes"),
        either(cgroup, "memory.peak", "memory.max_usage_in_bytes"),
        bytes(cgroup, "rbytes=", "Read ", gone.readBytes()),
        bytes(cgroup, "wbytes=", "Write ", gone.writtenBytes()),
        processes(cgroup),
        cgroup.number("pids.peak"),
        hits.oomKills(),
        hits.pidsRefused(),
        pressure(cgroup),
        new MemoryDetails(
            stat(cgroup, "anon", "total_rss"),
            stat(cgroup, "shmem", "total_shmem"),
            minus(stat(cgroup, "file", "total_cache"), stat(cgroup, "shmem", "total_shmem")),
            RequiredPeak.of(cgroup),
            stat(cgroup, "pgfault", "total_pgfault"),
            stat(cgroup, "pgmajfault", "total_pgmajfault")));
  }

  /** Bytes now that the kernel cannot take back: without the cache of files. */
  static OptionalLong required(CgroupFiles cgroup) {
    OptionalLong anonymous = stat(cgroup, "anon", "total_rss");
    long shared = stat(cgroup, "shmem", "total_shmem").orElse(0);
    return anonymous.isEmpty() ? anonymous : OptionalLong.of(anonymous.getAsLong() + shared);
  }

  /** Never below 0: the kernel counts the two one after the other. */
  private static OptionalLong minus(OptionalLong from, OptionalLong part) {
    return from.isEmpty() || part.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(0, from.getAsLong() - part.getAsLong()));
  }

  /** v1's lines of both kinds are in one file; those of the whole tree begin with total. */
  static OptionalLong stat(CgroupFiles cgroup, String v2, String v1) {
    OptionalLong whole = cgroup.keyed("memory.stat", v1);
    return whole.isPresent() ? whole : cgroup.keyed("memory.stat", v2);
  }

  static OptionalLong either(CgroupFiles cgroup, String v2, String v1) {
    OptionalLong found = cgroup.number(v2);
    return found.isPresent() ? found : cgroup.number(v1);
  }

  static OptionalLong bytes(CgroupFiles cgroup, String v2, String v1, long gone) {
    OptionalLong found = cgroup.sum("io.stat", _ -> true, v2);
    OptionalLong old = found.isPresent() ? found : v1Bytes(cgroup, v1);
    return found.isPresent() || old.isEmpty() ? old : OptionalLong.of(old.getAsLong() + gone);
  }

  static OptionalLong v1Bytes(CgroupFiles cgroup, String operation) {
    String file = "blkio.throttle.io_service_bytes_recursive";
    boolean counted = cgroup.text(file).filter(text -> text.lines().anyMatch(DEVICE)).isPresent();
    return counted ? cgroup.sum(file, DEVICE, operation) : OptionalLong.empty();
  }

  private static OptionalLong processes(CgroupFiles cgroup) {
    OptionalLong counted = cgroup.number("pids.current");
    if (counted.isPresent() || cgroup.directories().isEmpty()) {
      return counted;
    }
    try {
      return OptionalLong.of(cgroup.directories().getFirst().pidsBelow().size());
    } catch (IOException gone) {
      return OptionalLong.empty();
    }
  }

  private static Optional<Pressure> pressure(CgroupFiles cgroup) {
    OptionalLong cpu = waited(cgroup, "cpu.pressure");
    OptionalLong memory = waited(cgroup, "memory.pressure");
    OptionalLong io = waited(cgroup, "io.pressure");
    return cpu.isEmpty() || memory.isEmpty() || io.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Pressure(
                micros(cpu.getAsLong()), micros(memory.getAsLong()), micros(io.getAsLong())));
  }

  private static OptionalLong waited(CgroupFiles cgroup, String file) {
    return cgroup.word(file, "some ", "total=");
  }

  private static Duration micros(long micros) {
    return Duration.ofNanos(1_000 * micros);
  }

  record Cpu(Optional<Duration> user, Optional<Duration> system) {
    static Cpu read(CgroupFiles cgroup) {
      OptionalLong user = cgroup.keyed("cpu.stat", "user_usec");
      OptionalLong system = cgroup.keyed("cpu.stat", "system_usec");
      if (user.isPresent() && system.isPresent()) {
        return of(1_000 * user.getAsLong(), 1_000 * system.getAsLong());
      }
      OptionalLong sum = cgroup.number("cpuacct.usage");
      // Slurm makes no cgroup of cpuacct with jobacct_gather/linux.
      return sum.isPresent()
          ? v1(cgroup, sum.getAsLong())
          : new Cpu(Optional.empty(), Optional.empty());
    }

    private static Cpu of(long user, long system) {
      return new Cpu(Optional.of(Duration.ofNanos(user)), Optional.of(Duration.ofNanos(system)));
    }

    /** The sum is exact to the nanosecond, its division to a tick of 10 ms. */
    private static Cpu v1(CgroupFiles cgroup, long sum) {
      long user = cgroup.keyed("cpuacct.stat", "user").orElse(0);
      long system = cgroup.keyed("cpuacct.stat", "system").orElse(0);
      long inKernel = user == 0 && system > 0 ? sum : Math.min(sum, NANOS_PER_TICK * system);
      return of(sum - inKernel, inKernel);
    }
  }
}
