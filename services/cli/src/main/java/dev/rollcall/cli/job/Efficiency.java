package dev.rollcall.cli.job;

import com.google.protobuf.Timestamp;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.cli.text.Table;
import dev.rollcall.proto.v1.Usage;
import dev.rollcall.proto.v1.UsageRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Compares what a job used on a node with what it was allotted there. A share is from 0 to 1, and
 * absent where the node does not count the use, or nothing bounds it.
 */
record Efficiency(
    String node,
    Duration elapsed,
    Optional<Double> cpuShare,
    Optional<Double> memoryShare,
    Usage usage) {
  /** Of a part that is used less than this, a smaller one would do. */
  private static final double LITTLE = 0.5;

  private static final double NEARLY_ALL = 0.9;

  /** Before, starting up is most of it. */
  private static final Duration MEANINGFUL = Duration.ofMinutes(1);

  static Efficiency of(UsageRecord record, Instant now) {
    Usage usage = record.getUsage();
    Instant end = record.hasEndedAt() ? instant(record.getEndedAt()) : now;
    Duration elapsed = Duration.between(instant(record.getBeganAt()), end);
    double cpuSeconds =
        UsagePrinter.seconds(usage.getUserTime()) + UsagePrinter.seconds(usage.getSystemTime());
    double most = usage.getAllottedCpus() * elapsed.toMillis() / 1e3;
    return new Efficiency(
        record.getNode(),
        elapsed,
        usage.hasUserTime() && most > 0 ? Optional.of(cpuSeconds / most) : Optional.empty(),
        usage.getAllottedMemory() > 0 && peak(usage) > 0
            ? Optional.of((double) peak(usage) / usage.getAllottedMemory())
            : Optional.empty(),
        usage);
  }

  private static Instant instant(Timestamp at) {
    return Instant.ofEpochSecond(at.getSeconds(), at.getNanos());
  }

  /** Without the cache of files, which the kernel takes back, where that was sampled. */
  private static long peak(Usage usage) {
    return usage.hasMemoryRequiredSampledPeak()
        ? usage.getMemoryRequiredSampledPeak()
        : usage.getMemoryPeak();
  }

  void addTo(Table table) {
    table.row(
        node,
        elapsed.toSeconds() + "s",
        usage.hasAllottedCpus() ? "%.1f".formatted(usage.getAllottedCpus()) : "",
        percent(cpuShare),
        usage.hasAllottedMemory() ? UsagePrinter.size(usage.getAllottedMemory()) : "",
        peak(usage) > 0 ? UsagePrinter.size(peak(usage)) : "",
        percent(memoryShare),
        String.join(" ", advice()));
  }

  private static String percent(Optional<Double> share) {
    return share.map(it -> "%.0f%%".formatted(100 * it)).orElse("");
  }

  List<String> advice() {
    List<String> advice = new ArrayList<>();
    if (usage.getOomKills() > 0) {
      advice.add("Request more memory: processes were killed for want of it.");
    } else if (memoryShare.filter(share -> share > NEARLY_ALL).isPresent()) {
      advice.add("Request more memory: nearly all was needed.");
    }
    if (elapsed.compareTo(MEANINGFUL) < 0) {
      return advice;
    }
    if (usage.getAllottedCpus() > 1 && cpuShare.filter(share -> share < LITTLE).isPresent()) {
      advice.add(
          "Request fewer CPUs, or look for what waits: %.1f of %.1f worked on average."
              .formatted(cpuShare.get() * usage.getAllottedCpus(), usage.getAllottedCpus()));
    }
    if (usage.getOomKills() == 0 && memoryShare.filter(share -> share < LITTLE).isPresent()) {
      advice.add("Less memory would do: %s was needed.".formatted(UsagePrinter.size(peak(usage))));
    }
    return advice;
  }

  JsonFields json() {
    return new JsonFields()
        .with("node", node)
        .with("elapsed_seconds", elapsed.toSeconds())
        .with("allotted_cpus", usage.hasAllottedCpus() ? usage.getAllottedCpus() : null)
        .with("cpu_share", cpuShare.orElse(null))
        .with("allotted_memory", usage.hasAllottedMemory() ? usage.getAllottedMemory() : null)
        .with("memory_peak", peak(usage) > 0 ? peak(usage) : null)
        .with("memory_share", memoryShare.orElse(null))
        .with("advice", advice());
  }
}
