package dev.rollcall.jobs.usage;

import dev.rollcall.jobs.tree.Hierarchy;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.usage.Incident;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/** Names the limit that a step ran into: the smallest that it or its job has. */
record LimitNames(JobTree tree) {
  /** What v1 writes where there is no limit: LONG_MAX in whole pages. */
  private static final long NO_LIMIT = Long.MAX_VALUE - 0xffff;

  private record Limit(String name, long value) {}

  /** For people. */
  String of(JobStep step, Incident.Kind kind) {
    return kind == Incident.Kind.PIDS_REFUSED
        ? pids(step).map(LimitNames::text).orElse("a pids.max above the job")
        : memory(step)
            .map(limit -> text(limit) + " bytes")
            .orElse("a memory limit above the job, or the node's memory");
  }

  private static String text(Limit limit) {
    return limit.name + ", " + limit.value;
  }

  private Optional<Limit> pids(JobStep step) {
    return smaller(limit(step, "pids.max", false), limit(step, "pids.max", true));
  }

  private Optional<Limit> memory(JobStep step) {
    Optional<Limit> v2 = smaller(limit(step, "memory.max", false), limit(step, "memory.max", true));
    return v2.isPresent()
        ? v2
        : smaller(
            limit(step, "memory.limit_in_bytes", false),
            limit(step, "memory.limit_in_bytes", true));
  }

  private Optional<Limit> limit(JobStep step, String file, boolean ofJob) {
    Function<Hierarchy, CgroupDirectory> place =
        ofJob ? each -> each.job(step.job()) : each -> each.step(step);
    OptionalLong value = tree.files(place).number(file);
    String whose = ofJob ? "job " + step.job() : "step " + step;
    return value.isEmpty() || value.getAsLong() >= NO_LIMIT
        ? Optional.empty()
        : Optional.of(new Limit(file + " of " + whose, value.getAsLong()));
  }

  private static Optional<Limit> smaller(Optional<Limit> one, Optional<Limit> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.or(() -> other);
    }
    return one.get().value <= other.get().value ? one : other;
  }
}
