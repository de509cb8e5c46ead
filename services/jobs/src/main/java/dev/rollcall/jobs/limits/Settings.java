package dev.rollcall.jobs.limits;

import dev.rollcall.jobs.limits.Setting.Kind;
import dev.rollcall.jobs.tree.Controller;
import dev.rollcall.model.allocation.CpuMax;
import dev.rollcall.model.allocation.IoMax;
import dev.rollcall.model.allocation.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * The files that say limits. v2: Linux, admin-guide/cgroup-v2; v1: admin-guide/cgroup-v1 and, for
 * the quota, scheduler/sched-bwc.
 */
final class Settings {
  /** The kernel's shares of a weight of 100, and what it takes: 2 to 262,144. */
  private static final long USUAL_SHARES = 1_024;

  private static final long LEAST_SHARES = 2;
  private static final long MOST_SHARES = 262_144;
  private static final long USUAL_WEIGHT = 100;

  private Settings() {}

  static List<Setting> v2(Limits limits) {
    List<Setting> all = new ArrayList<>();
    lists(limits, all);
    limits.memoryMax().ifPresent(it -> all.add(bytes(Controller.MEMORY, "memory.max", max(it))));
    limits.memoryHigh().ifPresent(it -> all.add(bytes(Controller.MEMORY, "memory.high", max(it))));
    limits.swapMax().ifPresent(it -> all.add(bytes(Controller.MEMORY, "memory.swap.max", max(it))));
    limits.cpuWeight().ifPresent(it -> all.add(word(Controller.CPU, "cpu.weight", "" + it)));
    limits
        .cpuMax()
        .ifPresent(it ->
            all.add(
                word(Controller.CPU, "cpu.max", max(it.quotaMicros()) + " " + it.periodMicros())));
    limits.pidsMax().ifPresent(it -> all.add(word(Controller.PIDS, "pids.max", max(it))));
    limits.ioMax().forEach(it -> all.add(ioV2(it)));
    new TreeMap<>(limits.hugetlbMax())
        .forEach((size, it) -> all.add(huge("hugetlb." + size + ".max", max(it))));
    return all;
  }

  static List<Setting> v1(Limits limits) {
    List<Setting> all = new ArrayList<>();
    lists(limits, all);
    memoryV1(limits, all);
    limits
        .cpuWeight()
        .ifPresent(it -> all.add(word(Controller.CPU, "cpu.shares", Long.toString(shares(it)))));
    limits.cpuMax().ifPresent(it -> quotaV1(it, all));
    limits.pidsMax().ifPresent(it -> all.add(word(Controller.PIDS, "pids.max", max(it))));
    limits.ioMax().forEach(it -> ioV1(it, all));
    new TreeMap<>(limits.hugetlbMax())
        .forEach((size, it) -> all.add(huge("hugetlb." + size + ".limit_in_bytes", minusOne(it))));
    return all;
  }

  private static void lists(Limits limits, List<Setting> all) {
    limits
        .cpus()
        .ifPresent(
            it -> all.add(new Setting(Controller.CPUSET, "cpuset.cpus", it.text(), Kind.LIST)));
    limits
        .mems()
        .ifPresent(
            it -> all.add(new Setting(Controller.CPUSET, "cpuset.mems", it.text(), Kind.LIST)));
  }

  /**
   * v1 bounds memory and swap together, and slows nobody down at a soft limit: memory is taken back
   * down to it when the node runs short.
   *
   * @throws IllegalArgumentException if swap is to be bounded and memory is not
   */
  private static void memoryV1(Limits limits, List<Setting> all) {
    limits
        .memoryMax()
        .ifPresent(it -> all.add(bytes(Controller.MEMORY, "memory.limit_in_bytes", minusOne(it))));
    limits
        .memoryHigh()
        .ifPresent(
            it -> all.add(bytes(Controller.MEMORY, "memory.soft_limit_in_bytes", minusOne(it))));
    if (limits.swapMax().isPresent()) {
      long swap = limits.swapMax().getAsLong();
      OptionalLong memory = limits.memoryMax();
      if (memory.isEmpty() && swap != Limits.UNLIMITED) {
        throw new IllegalArgumentException(
            "swap " + swap + " needs a limit of memory too: v1 limits both together");
      }
      long both = memory.isEmpty() ? Limits.UNLIMITED : sum(swap, memory.getAsLong());
      all.add(bytes(Controller.MEMORY, "memory.memsw.limit_in_bytes", minusOne(both)));
    }
  }

  private static long sum(long swap, long memory) {
    return swap > Limits.UNLIMITED - memory ? Limits.UNLIMITED : swap + memory;
  }

  private static void quotaV1(CpuMax max, List<Setting> all) {
    String period = Long.toString(max.periodMicros());
    all.add(word(Controller.CPU, "cpu.cfs_period_us", period));
    all.add(word(Controller.CPU, "cpu.cfs_quota_us", minusOne(max.quotaMicros())));
  }

  static long shares(int weight) {
    long shares = weight * USUAL_SHARES / USUAL_WEIGHT;
    return Math.clamp(shares, LEAST_SHARES, MOST_SHARES);
  }

  private static Setting ioV2(IoMax max) {
    var line = new StringJoiner(" ").add(max.major() + ":" + max.minor());
    max.readBytes().ifPresent(it -> line.add("rbps=" + max(it)));
    max.writeBytes().ifPresent(it -> line.add("wbps=" + max(it)));
    max.readOperations().ifPresent(it -> line.add("riops=" + max(it)));
    max.writeOperations().ifPresent(it -> line.add("wiops=" + max(it)));
    return new Setting(Controller.IO, "io.max", line.toString(), Kind.DEVICE_V2);
  }

  private static void ioV1(IoMax max, List<Setting> all) {
    String device = max.major() + ":" + max.minor() + " ";
    throttle("read_bps_device", device, max.readBytes(), all);
    throttle("write_bps_device", device, max.writeBytes(), all);
    throttle("read_iops_device", device, max.readOperations(), all);
    throttle("write_iops_device", device, max.writeOperations(), all);
  }

  private static void throttle(String file, String device, OptionalLong most, List<Setting> all) {
    most.ifPresent(it -> {
      String value = device + (it == Limits.UNLIMITED ? 0 : it);
      all.add(new Setting(Controller.IO, "blkio.throttle." + file, value, Kind.DEVICE_V1));
    });
  }

  private static Setting word(Controller controller, String file, String value) {
    return new Setting(controller, file, value, Kind.WORD);
  }

  private static Setting bytes(Controller controller, String file, String value) {
    return new Setting(controller, file, value, Kind.BYTES);
  }

  private static Setting huge(String file, String value) {
    return new Setting(Controller.HUGETLB, file, value, Kind.HUGE_BYTES);
  }

  private static String max(long value) {
    return value == Limits.UNLIMITED ? "max" : Long.toString(value);
  }

  private static String minusOne(long value) {
    return value == Limits.UNLIMITED ? "-1" : Long.toString(value);
  }
}
