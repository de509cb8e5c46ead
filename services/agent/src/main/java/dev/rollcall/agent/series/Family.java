package dev.rollcall.agent.series;

import static dev.rollcall.agent.series.Family.Unit.MICROS;
import static dev.rollcall.agent.series.Family.Unit.ONE;
import static dev.rollcall.agent.series.Family.Unit.THOUSANDTHS;

import dev.rollcall.model.usage.Measure;
import dev.rollcall.model.usage.Measures;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** A metric of jobs, steps and sessions; {@link JobPage} puts their level before the name. */
record Family(String name, Unit unit, String help, List<Part> parts) {
  static final List<Family> ALL =
      List.of(
          of("cpu_seconds_total", MICROS, "CPU time")
              .with("mode=\"user\"", Measure.CPU_USER)
              .with("mode=\"system\"", Measure.CPU_SYSTEM),
          of("cpu_throttled_seconds_total", MICROS, "Time for which its CPU quota stopped it")
              .with("", Measure.CPU_THROTTLED),
          of("allotted_cpus", THOUSANDTHS, "CPUs that its cpuset and its quota permit")
              .with("", Measure.CPUS),
          of("memory_bytes", ONE, "Memory charged to it now, with its page cache")
              .with("", Measure.MEMORY),
          of("memory_peak_bytes", ONE, "The most memory that was charged to it")
              .with("", Measure.MEMORY_PEAK),
          of("memory_limit_bytes", ONE, "Memory beyond which the kernel kills a process of it")
              .with("", Measure.MEMORY_LIMIT),
          of(
                  "allotted_memory_bytes",
                  ONE,
                  "Memory beyond which pages are reclaimed, else its limit")
              .with("", Measure.MEMORY_ALLOTTED),
          of("memory_part_bytes", ONE, "Memory charged to it now, by what it is for")
              .with("part=\"anonymous\"", Measure.MEMORY_ANONYMOUS)
              .with("part=\"cache\"", Measure.MEMORY_CACHE),
          of("swap_bytes", ONE, "Swap space that it uses now").with("", Measure.SWAP),
          of("oom_kills_total", ONE, "Its processes that were killed for lack of memory")
              .with("", Measure.OOM_KILLS),
          of("io_bytes_total", ONE, "Bytes of block devices")
              .with("way=\"read\"", Measure.READ_BYTES)
              .with("way=\"written\"", Measure.WRITTEN_BYTES),
          of("io_operations_total", ONE, "Operations on block devices")
              .with("way=\"read\"", Measure.READS)
              .with("way=\"written\"", Measure.WRITES),
          of("threads", ONE, "Its processes and their other threads now").with("", Measure.THREADS),
          of("pressure_waiting_seconds_total", MICROS, "Time in which some of it waited")
              .with("resource=\"cpu\"", Measure.PRESSURE_CPU_WAITING)
              .with("resource=\"memory\"", Measure.PRESSURE_MEMORY_WAITING)
              .with("resource=\"io\"", Measure.PRESSURE_IO_WAITING),
          of("pressure_stalled_seconds_total", MICROS, "Time in which all of it waited")
              .with("resource=\"cpu\"", Measure.PRESSURE_CPU_STALLED)
              .with("resource=\"memory\"", Measure.PRESSURE_MEMORY_STALLED)
              .with("resource=\"io\"", Measure.PRESSURE_IO_STALLED));

  /** As {@link CgroupPage} has them. */
  static final List<Family> OF_CGROUPS =
      List.of(
          of("cpu_user_seconds", MICROS, "CPU time in user mode").with("", Measure.CPU_USER),
          of("cpu_system_seconds", MICROS, "CPU time in the kernel").with("", Measure.CPU_SYSTEM),
          of("cpu_total_seconds", MICROS, "CPU time")
              .with("", Measure.CPU_USER, Measure.CPU_SYSTEM),
          of("cpus", THOUSANDTHS, "CPUs that it may use").with("", Measure.CPUS),
          of("memory_rss_bytes", ONE, "Anonymous memory").with("", Measure.MEMORY_ANONYMOUS),
          of("memory_cache_bytes", ONE, "Page cache").with("", Measure.MEMORY_CACHE),
          of("memory_used_bytes", ONE, "Memory charged to it").with("", Measure.MEMORY),
          of("memory_total_bytes", ONE, "Its memory limit").with("", Measure.MEMORY_LIMIT),
          of("memory_fail_count", ONE, "How often it had no memory left")
              .with("", Measure.MEMORY_FAILURES));

  /** Digits of a measure behind the point of its value. */
  enum Unit {
    ONE(0),
    THOUSANDTHS(3),
    MICROS(6);

    final int digits;

    Unit(int digits) {
      this.digits = digits;
    }
  }

  /**
   * A series of the family.
   *
   * @param sum of these measures
   * @param label that tells it from the others; empty if it is the only one
   */
  record Part(List<Measure> sum, String label) {
    /** Empty if one of them was not measured. */
    OptionalLong of(Measures measures) {
      long value = 0;
      for (Measure each : sum) {
        OptionalLong part = measures.get(each);
        if (part.isEmpty()) {
          return part;
        }
        value += part.getAsLong();
      }
      return OptionalLong.of(value);
    }
  }

  private static Family of(String name, Unit unit, String help) {
    return new Family(name, unit, help, List.of());
  }

  private Family with(String label, Measure... sum) {
    List<Part> more =
        Stream.concat(parts.stream(), Stream.of(new Part(List.of(sum), label))).toList();
    return new Family(name, unit, help, more);
  }
}
