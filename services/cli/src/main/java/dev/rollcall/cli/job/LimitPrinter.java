package dev.rollcall.cli.job;

import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.model.JobId;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.Limits;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints limits. */
final class LimitPrinter {
  private LimitPrinter() {}

  /** {@code memory_max 4294967296, pids_max 512}. */
  static String text(Limits limits) {
    JsonFields all = json(limits);
    return all.isEmpty()
        ? "no limits of its own"
        : all.entrySet().stream()
            .map(each -> each.getKey() + " " + each.getValue())
            .collect(Collectors.joining(", "));
  }

  static JsonFields json(JobId job, @Nullable StepId step, Limits limits) {
    return new JsonFields()
        .with("job", job.number())
        .with("step", step == null ? null : step.text())
        .with("limits", json(limits));
  }

  /** Those that are set. */
  private static JsonFields json(Limits limits) {
    var json = new JsonFields();
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
