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
  private static final String MAX = "max";

  private final boolean v2;
  private final List<Setting> all = new ArrayList<>();

  private Settings(boolean v2) {
    this.v2 = v2;
  }

  /**
   * @throws IllegalArgumentException if swap is to be bounded in v1 and memory is not
   */
  static List<Setting> of(Limits limits, boolean v2) {
    var settings = new Settings(v2);
    settings.add(limits);
    return settings.all;
  }

  private void add(Limits limits) {
    limits.cpus().ifPresent(it -> add(Controller.CPUSET, "cpuset.cpus", it.text(), Kind.LIST));
    limits.mems().ifPresent(it -> add(Controller.CPUSET, "cpuset.mems", it.text(), Kind.LIST));
    limits.memoryMax().ifPresent(it -> memory("memory.max", "memory.limit_in_bytes", it));
    // v1 slows nobody down: memory is taken back to its soft limit when the node runs short.
    limits.memoryHigh().ifPresent(it -> memory("memory.high", "memory.soft_limit_in_bytes", it));
    limits.swapMax().ifPresent(it -> swap(it, limits.memoryMax()));
    limits.cpuWeight().ifPresent(this::weight);
    limits.cpuMax().ifPresent(this::quota);
    limits.pidsMax().ifPresent(it -> word(Controller.PIDS, "pids.max", text(it, MAX)));
    limits.ioMax().forEach(v2 ? this::ioV2 : this::ioV1);
    String end = v2 ? ".max" : ".limit_in_bytes";
    new TreeMap<>(limits.hugetlbMax())
        .forEach((size, it) ->
            add(Controller.HUGETLB, "hugetlb." + size + end, bound(it), Kind.HUGE_BYTES));
  }

  private void memory(String inV2, String inV1, long bytes) {
    add(Controller.MEMORY, v2 ? inV2 : inV1, bound(bytes), Kind.BYTES);
  }

  /** v1 bounds memory and swap together. */
  private void swap(long swap, OptionalLong memory) {
    if (!v2 && memory.isEmpty() && swap != Limits.UNLIMITED) {
      throw new IllegalArgumentException(
          "swap " + swap + " needs a limit of memory too: v1 limits both together");
    }
    memory(
        "memory.swap.max",
        "memory.memsw.limit_in_bytes",
        v2 ? swap : sum(swap, memory.orElse(Limits.UNLIMITED)));
  }

  private static long sum(long swap, long memory) {
    return swap > Limits.UNLIMITED - memory ? Limits.UNLIMITED : swap + memory;
  }

  private void weight(int weight) {
    if (v2) {
      word(Controller.CPU, "cpu.weight", Integer.toString(weight));
    } else {
      word(Controller.CPU, "cpu.shares", Long.toString(shares(weight)));
    }
  }

  static long shares(int weight) {
    long shares = weight * USUAL_SHARES / USUAL_WEIGHT;
    return Math.clamp(shares, LEAST_SHARES, MOST_SHARES);
  }

  private void quota(CpuMax max) {
    String quota = bound(max.quotaMicros());
    if (v2) {
      word(Controller.CPU, "cpu.max", quota + " " + max.periodMicros());
    } else {
      word(Controller.CPU, "cpu.cfs_period_us", Long.toString(max.periodMicros()));
      word(Controller.CPU, "cpu.cfs_quota_us", quota);
    }
  }

  private void ioV2(IoMax max) {
    var line = new StringJoiner(" ").add(max.major() + ":" + max.minor());
    max.readBytes().ifPresent(it -> line.add("rbps=" + text(it, MAX)));
    max.writeBytes().ifPresent(it -> line.add("wbps=" + text(it, MAX)));
    max.readOperations().ifPresent(it -> line.add("riops=" + text(it, MAX)));
    max.writeOperations().ifPresent(it -> line.add("wiops=" + text(it, MAX)));
    add(Controller.IO, "io.max", line.toString(), Kind.DEVICE_V2);
  }

  private void ioV1(IoMax max) {
    String device = max.major() + ":" + max.minor() + " ";
    throttle("read_bps_device", device, max.readBytes());
    throttle("write_bps_device", device, max.writeBytes());
    throttle("read_iops_device", device, max.readOperations());
    throttle("write_iops_device", device, max.writeOperations());
  }

  private void throttle(String file, String device, OptionalLong most) {
    most.ifPresent(
        it -> add(Controller.IO, "blkio.throttle." + file, device + text(it, "0"), Kind.DEVICE_V1));
  }

  private void word(Controller controller, String file, String value) {
    add(controller, file, value, Kind.WORD);
  }

  private void add(Controller controller, String file, String value, Kind kind) {
    all.add(new Setting(controller, file, value, kind));
  }

  private String bound(long value) {
    return text(value, v2 ? MAX : "-1");
  }

  private static String text(long value, String unlimited) {
    return value == Limits.UNLIMITED ? unlimited : Long.toString(value);
  }
}
