package dev.rollcall.cli.job;

import dev.rollcall.model.JobId;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.Limits;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints limits. */
final class LimitPrinter {
  private LimitPrinter() {}

  /** {@code memory_max 4294967296, pids_max 512}. */
  static String text(Limits limits) {
    Map<String, Object> all = json(limits);
    return all.isEmpty()
        ? "no limits of its own"
        : all.entrySet().stream()
            .map(each -> each.getKey() + " " + each.getValue())
            .collect(Collectors.joining(", "));
  }

  static Map<String, Object> json(JobId job, @Nullable StepId step, Limits limits) {
    var json = new LinkedHashMap<String, Object>();
    json.put("job", job.number());
    json.put("step", step == null ? null : step.text());
    json.put("limits", json(limits));
    return json;
  }

  /** Those that are set. */
  private static Map<String, Object> json(Limits limits) {
    var json = new LinkedHashMap<String, Object>();
    limits.cpus().ifPresent(list -> json.put("cpus", list.text()));
    limits.mems().ifPresent(list -> json.put("mems", list.text()));
    limits.memoryMax().ifPresent(bytes -> json.put("memory_max", number(bytes)));
    limits.memoryHigh().ifPresent(bytes -> json.put("memory_high", number(bytes)));
    limits.swapMax().ifPresent(bytes -> json.put("swap_max", number(bytes)));
    limits.cpuWeight().ifPresent(weight -> json.put("cpu_weight", weight));
    limits.cpuMax().ifPresent(max -> json.put("cpu_max", max.toString()));
    limits.pidsMax().ifPresent(most -> json.put("pids_max", number(most)));
    if (!limits.ioMax().isEmpty()) {
      json.put("io_max", limits.ioMax().stream().map(Object::toString).toList());
    }
    if (!limits.hugetlbMax().isEmpty()) {
      var huge = new TreeMap<String, Object>();
      limits.hugetlbMax().forEach((size, bytes) -> huge.put(size, number(bytes)));
      json.put("hugetlb_max", huge);
    }
    return json;
  }

  private static Object number(long value) {
    return value == Limits.UNLIMITED ? "max" : (Object) value;
  }
}
