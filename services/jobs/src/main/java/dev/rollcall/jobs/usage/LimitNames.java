package dev.rollcall.jobs.usage;

import dev.rollcall.jobs.tree.Hierarchy;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.usage.Incident;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;

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
    return smallest(step, "pids.max");
  }

  private Optional<Limit> memory(JobStep step) {
    return smallest(step, "memory.max").or(() -> smallest(step, "memory.limit_in_bytes"));
  }

  private Optional<Limit> smallest(JobStep step, String file) {
    return Stream.of(
            limit("step " + step, file, each -> each.step(step)),
            limit("job " + step.job(), file, each -> each.job(step.job())))
        .flatMap(Optional::stream)
        .min(Comparator.comparingLong(Limit::value));
  }

  private Optional<Limit> limit(
      String whose, String file, Function<Hierarchy, CgroupDirectory> place) {
    OptionalLong value = tree.files(place).number(file);
    return value.isEmpty() || value.getAsLong() >= NO_LIMIT
        ? Optional.empty()
        : Optional.of(new Limit(file + " of " + whose, value.getAsLong()));
  }
}
