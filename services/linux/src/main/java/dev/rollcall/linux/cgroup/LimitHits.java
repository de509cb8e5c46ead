package dev.rollcall.linux.cgroup;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How often a cgroup and those below it ran into limits. Kernels count in different places:
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
  public static final LimitHits NONE = new LimitHits(OptionalLong.of(0), OptionalLong.of(0));

  /** Of a cgroup and all that is below it now. */
  public static LimitHits read(CgroupFiles cgroup) {
    return read(cgroup, NONE);
  }

  /**
   * The same.
   *
   * @param removed what was counted in cgroups below it that are removed
   */
  public static LimitHits read(CgroupFiles cgroup, LimitHits removed) {
    return new LimitHits(
        larger(
            cgroup.keyed("memory.events", "oom_kill"),
            plus(
                below(cgroup, "memory.events", "memory.oom_control", LimitHits::oomHere),
                removed.oomKills)),
        larger(
            cgroup.keyed("pids.events", "max"),
            plus(
                below(cgroup, "pids.events", "pids.events", LimitHits::pidsHere),
                removed.pidsRefused)));
  }

  /** What was counted right in this cgroup. */
  public static LimitHits here(CgroupFiles cgroup) {
    return new LimitHits(oomHere(cgroup), pidsHere(cgroup));
  }

  private static OptionalLong oomHere(CgroupFiles cgroup) {
    OptionalLong local = cgroup.keyed("memory.events.local", "oom_kill");
    return local.isPresent() ? local : cgroup.keyed("memory.oom_control", "oom_kill");
  }

  private static OptionalLong pidsHere(CgroupFiles cgroup) {
    OptionalLong local = cgroup.keyed("pids.events.local", "max");
    return local.isPresent() ? local : cgroup.keyed("pids.events", "max");
  }

  private interface Counter {
    OptionalLong of(CgroupFiles cgroup);
  }

  private static OptionalLong below(CgroupFiles cgroup, String v2, String v1, Counter counter) {
    Optional<CgroupDirectory> top = cgroup.having(v2).or(() -> cgroup.having(v1));
    OptionalLong sum = OptionalLong.empty();
    if (top.isPresent()) {
      try {
        for (CgroupDirectory each : top.get().tree()) {
          sum = plus(counter.of(new CgroupFiles(List.of(each))), sum);
        }
      } catch (IOException gone) {
        return sum;
      }
    }
    return sum;
  }

  /** Of two cgroups that are not below each other. */
  public LimitHits plus(LimitHits other) {
    return new LimitHits(plus(oomKills, other.oomKills), plus(pidsRefused, other.pidsRefused));
  }

  /** How often more than before; never negative. */
  public LimitHits since(LimitHits before) {
    return new LimitHits(minus(oomKills, before.oomKills), minus(pidsRefused, before.pidsRefused));
  }

  private static OptionalLong plus(OptionalLong one, OptionalLong other) {
    if (one.isEmpty()) {
      return other;
    }
    return OptionalLong.of(one.getAsLong() + other.orElse(0));
  }

  private static OptionalLong minus(OptionalLong now, OptionalLong before) {
    return now.isEmpty() ? now : OptionalLong.of(Math.max(0, now.getAsLong() - before.orElse(0)));
  }

  private static OptionalLong larger(OptionalLong one, OptionalLong other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.isEmpty() ? other : one;
    }
    return OptionalLong.of(Math.max(one.getAsLong(), other.getAsLong()));
  }
}
