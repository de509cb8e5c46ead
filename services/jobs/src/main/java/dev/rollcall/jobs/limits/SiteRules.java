package dev.rollcall.jobs.limits;

import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.Limits;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Applies the site's rules of Slurm's cgroup.conf(5) to the limits that a batch system sets. What
 * is not constrained is not limited, whatever was asked. Percentages: {@code allowed} of the job's
 * own memory, {@code max} of the node's.
 *
 * @param ramBytes of the node
 * @param minRamBytes the least that a limit of memory is made
 */
public record SiteRules(
    boolean cores,
    boolean ram,
    boolean swap,
    boolean devices,
    double allowedRam,
    double allowedSwap,
    double maxRam,
    double maxSwap,
    long ramBytes,
    long minRamBytes) {
  /** Every limit is as it was asked for. */
  public static final SiteRules AS_ASKED =
      new SiteRules(true, true, true, true, 100, 0, 100, 100, Long.MAX_VALUE, 0);

  private static final double PERCENT = 100;

  /** Applies the rules to a job that begins. */
  public Allocation of(Allocation asked) {
    if (equals(AS_ASKED)) {
      return asked;
    }
    Limits limits = of(asked.limits());
    // Slurm takes a job that names no memory for one that was given the node's.
    if (ram && maxRam < PERCENT && limits.memoryMax().isEmpty()) {
      limits = bounded(limits, OptionalLong.of(part(ramBytes, maxRam)), limits.swapMax());
    }
    return new Allocation(
        limits, devices ? asked.devices() : DeviceRules.OPEN, asked.environment(), asked.rlimits());
  }

  /** Applies the rules to a step, or to a job that runs. */
  public Limits of(Limits asked) {
    if (equals(AS_ASKED)) {
      return asked;
    }
    OptionalLong wanted = asked.memoryMax();
    boolean bounded = wanted.isPresent() && wanted.getAsLong() != Limits.UNLIMITED;
    OptionalLong hard = bounded ? OptionalLong.of(hard(wanted.getAsLong())) : wanted;
    OptionalLong more = asked.swapMax();
    if (swap && more.isEmpty() && bounded) {
      more = OptionalLong.of(part(wanted.getAsLong(), allowedSwap));
    }
    if (more.isPresent() && more.getAsLong() != Limits.UNLIMITED) {
      more = OptionalLong.of(Math.min(more.getAsLong(), part(ramBytes, maxSwap)));
    }
    return bounded(asked, ram ? hard : OptionalLong.empty(), swap ? more : OptionalLong.empty());
  }

  private long hard(long wanted) {
    long most = part(ramBytes, maxRam);
    return Math.clamp(part(wanted, allowedRam), Math.min(minRamBytes, most), most);
  }

  private static long part(long bytes, double percent) {
    return (long) (bytes * (percent / PERCENT));
  }

  private Limits bounded(Limits limits, OptionalLong hard, OptionalLong more) {
    return new Limits(
        cores ? limits.cpus() : Optional.empty(),
        cores ? limits.mems() : Optional.empty(),
        hard,
        ram ? limits.memoryHigh() : OptionalLong.empty(),
        more,
        limits.cpuWeight(),
        limits.cpuMax(),
        limits.pidsMax(),
        limits.ioMax(),
        limits.hugetlbMax());
  }
}
