package dev.rollcall.linux.cgroup;

import java.io.IOException;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Counts how often a cgroup and those below it reached limits. Kernels count in different places:
 *
 * <ul>
 *   <li>OOM kills: v1 in the cgroup of the killed process ({@code memory.oom_control}, Linux 4.13).
 *       v2 there ({@code memory.events.local}, 5.2) and in all above it ({@code memory.events}),
 *       unless mounted with {@code memory_localevents};
 *   <li>refused forks: v1, and v2 before 6.11, in the cgroup of the forking process ({@code
 *       pids.events}); v2 since 6.11 in the cgroup whose {@code pids.max} it was ({@code
 *       pids.events.local}) and in all above it ({@code pids.events}), unless mounted with {@code
 *       pids_localevents}.
 * </ul>
 *
 * <p>So both are read: the sum of the local counts, which loses what was counted in a removed
 * cgroup, and the top's own, which has it where the kernel counts upwards. The larger is right.
 *
 * @param oomKills absent where the kernel does not count
 * @param pidsRefused absent where the kernel does not count
 */
public record LimitHits(OptionalLong oomKills, OptionalLong pidsRefused) {
  /**
   * Of a cgroup and all that is or was below it.
   *
   * @param gone what was counted in cgroups below it that are removed
   */
  public static LimitHits read(CgroupFiles cgroup, Carried gone) {
    LimitHits inPlace = inPlace(cgroup);
    return new LimitHits(
        larger(cgroup.keyed("memory.events", "oom_kill"), plus(inPlace.oomKills, gone.oomKills())),
        larger(cgroup.keyed("pids.events", "max"), plus(inPlace.pidsRefused, gone.pidsRefused())));
  }

  /** What was counted in this cgroup and in those that are below it now, each in its place. */
  static LimitHits inPlace(CgroupFiles cgroup) {
    return new LimitHits(
        below(cgroup, "memory.events", "memory.oom_control", LimitHits::oomHere),
        below(cgroup, "pids.events", "pids.events", LimitHits::pidsHere));
  }

  private static OptionalLong oomHere(CgroupFiles cgroup) {
    OptionalLong local = cgroup.keyed("memory.events.local", "oom_kill");
    return local.isPresent() ? local : cgroup.keyed("memory.oom_control", "oom_kill");
  }

  private static OptionalLong pidsHere(CgroupFiles cgroup) {
    OptionalLong local = cgroup.keyed("pids.events.local", "max");
    return local.isPresent() ? local : cgroup.keyed("pids.events", "max");
  }

  /** How often more than before; never negative. */
  public LimitHits since(LimitHits before) {
    return new LimitHits(minus(oomKills, before.oomKills), minus(pidsRefused, before.pidsRefused));
  }

  private static OptionalLong minus(OptionalLong now, OptionalLong before) {
    return now.isEmpty() ? now : OptionalLong.of(Math.max(0, now.getAsLong() - before.orElse(0)));
  }

  private static OptionalLong below(
      CgroupFiles cgroup, String v2, String v1, Function<CgroupFiles, OptionalLong> counter) {
    Optional<CgroupDirectory> top = cgroup.having(v2).or(() -> cgroup.having(v1));
    var counts = new LongSummaryStatistics();
    if (top.isPresent()) {
      try {
        top.get().walk(each -> counter.apply(new CgroupFiles(List.of(each))).ifPresent(counts));
      } catch (IOException gone) {
        // What was counted until then.
      }
    }
    return counts.getCount() == 0 ? OptionalLong.empty() : OptionalLong.of(counts.getSum());
  }

  /** What is not counted stays so. With what is unknown 0 is no count. */
  private static OptionalLong plus(OptionalLong counted, long more) {
    return counted.isEmpty() || (more < 0 && counted.getAsLong() == 0)
        ? OptionalLong.empty()
        : OptionalLong.of(counted.getAsLong() + Math.max(0, more));
  }

  private static OptionalLong larger(OptionalLong one, OptionalLong other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.isEmpty() ? other : one;
    }
    return OptionalLong.of(Math.max(one.getAsLong(), other.getAsLong()));
  }
}
