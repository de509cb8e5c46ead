package dev.rollcall.cli.job;

import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.model.allocation.Amount;
import dev.rollcall.model.allocation.CpuMax;
import dev.rollcall.model.allocation.IoMax;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.model.allocation.NumberList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say what a job or step may use at most. */
final class LimitOptions {
  @Option(names = "--cpus", paramLabel = "LIST", description = "Numbers of CPUs: 0-3,8.")
  private @Nullable NumberList cpus;

  @Option(names = "--mems", paramLabel = "LIST", description = "Numbers of memory nodes.")
  private @Nullable NumberList mems;

  @Option(
      names = "--memory-max",
      paramLabel = "SIZE",
      description = "Memory above which the kernel kills a process: bytes, or 4G; max: no limit.")
  private @Nullable Amount memoryMax;

  @Option(
      names = "--memory-high",
      paramLabel = "SIZE",
      description = "Memory above which the kernel reclaims memory and slows processes down.")
  private @Nullable Amount memoryHigh;

  @Option(
      names = "--swap-max",
      paramLabel = "SIZE",
      description = "Limit of swap only, not of memory and swap together; 0: none.")
  private @Nullable Amount swapMax;

  @Option(
      names = "--cpu-weight",
      paramLabel = "WEIGHT",
      description = "Relative share of CPU, 1 to 10000 (kernel default: 100).")
  private @Nullable Integer cpuWeight;

  @Option(
      names = "--cpu-max",
      paramLabel = "QUOTA[/PERIOD]",
      description = "CPU time in each period, in microseconds: 150000/100000.")
  private @Nullable CpuMax cpuMax;

  @Option(
      names = "--pids-max",
      paramLabel = "NUMBER",
      description = "Processes and threads together.")
  private @Nullable Amount pidsMax;

  @Option(
      names = "--io-max",
      paramLabel = "DEVICE:BOUNDS",
      description = "Limits of a block device per second: 8:0:rbps=1048576,wiops=100.")
  private List<IoMax> ioMax = List.of();

  @Option(
      names = "--hugetlb-max",
      paramLabel = "SIZE=BYTES",
      description = "Huge pages of one size: 2MB=512M.")
  private List<String> hugetlbMax = List.of();

  /**
   * @throws CommandFailure for a value that cannot be
   */
  Limits limits() {
    try {
      return new Limits(
          Optional.ofNullable(cpus),
          Optional.ofNullable(mems),
          number(memoryMax),
          number(memoryHigh),
          number(swapMax),
          cpuWeight == null ? OptionalInt.empty() : OptionalInt.of(cpuWeight),
          Optional.ofNullable(cpuMax),
          number(pidsMax),
          ioMax,
          hugetlb());
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(e);
    }
  }

  private static OptionalLong number(@Nullable Amount amount) {
    return amount == null ? OptionalLong.empty() : OptionalLong.of(amount.number());
  }

  private Map<String, Long> hugetlb() {
    Map<String, Long> all = new TreeMap<>();
    for (String text : hugetlbMax) {
      String[] pair = text.split("=", 2);
      if (pair.length != 2 || all.put(pair[0], Amount.parse(pair[1]).number()) != null) {
        throw new IllegalArgumentException(
            "--hugetlb-max '" + text + "' is not SIZE=BYTES such as 2MB=512M, each size once");
      }
    }
    return all;
  }
}
