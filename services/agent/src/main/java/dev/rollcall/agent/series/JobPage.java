package dev.rollcall.agent.series;

import static dev.rollcall.agent.series.PageText.label;

import dev.rollcall.agent.series.Series.Facts;
import dev.rollcall.agent.series.Series.Level;
import dev.rollcall.agent.series.device.JobDevice;
import dev.rollcall.agent.series.device.KnownGpus;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Writes series under Rollcall's names.
 *
 * @param user the name of a uid, empty if it has none
 */
record JobPage(PageText text, String provider, IntFunction<String> user, KnownGpus gpus) {
  private static final int MOST_DEVICES = 4_096;
  private static final String PREFIX = "rollcall_";

  void write(Collection<Series> all) {
    text.header(PREFIX + "job_info", "Facts of a job. Value 1");
    for (Series each : all) {
      each.facts.ifPresent(facts -> info(each, facts));
    }
    devices(all);
    calls(all);
    for (Level level : Level.values()) {
      List<Series> its = all.stream().filter(each -> each.level == level).toList();
      String prefix = PREFIX + level.name().toLowerCase(Locale.ROOT) + "_";
      Family.ALL.forEach(family -> text.family(prefix, family, its, each -> each.labels));
      times(prefix + "begin_timestamp_seconds", "Its begin, since 1970", its, it -> it.began);
      times(
          prefix + "end_timestamp_seconds",
          "Its end, since 1970",
          its.stream().filter(it -> it.ended.isPresent()).toList(),
          it -> it.ended.orElseThrow());
    }
  }

  /** A GPU of a job that ended may be another job's already. */
  private void devices(Collection<Series> all) {
    int room = MOST_DEVICES;
    for (Series each : all) {
      List<JobDevice> its =
          each.ended.isPresent()
              ? List.of()
              : each.facts.map(facts -> gpus.of(facts.devices())).orElse(List.of());
      for (JobDevice device : its.subList(0, Math.min(room, its.size()))) {
        if (room-- == MOST_DEVICES) {
          text.header(PREFIX + "job_device_info", "A GPU of a job. Value 1");
        }
        device(each, device);
      }
    }
  }

  private void device(Series job, JobDevice device) {
    String labels =
        job.labels
            + label("device", device.name())
            + label("minor", word(device.minor()))
            + label("uuid", device.uuid())
            + label("gpu_instance", word(device.gpuInstance()));
    text.line(PREFIX + "job_device_info", labels, "");
    text.number(1, 0);
  }

  private static String word(OptionalInt number) {
    return number.isPresent() ? Integer.toString(number.getAsInt()) : "";
  }

  private void calls(Collection<Series> all) {
    String name = PREFIX + "job_calls_total";
    if (all.stream().anyMatch(each -> !each.calls.isEmpty())) {
      text.header(name, "TCP connections that it opened to a watched service");
    }
    for (Series each : all) {
      new TreeMap<>(each.calls)
          .forEach((service, number) -> {
            text.line(name, each.labels + label("service", service), "");
            text.number(number, 0);
          });
    }
  }

  private void times(String name, String help, List<Series> all, Function<Series, Instant> time) {
    if (!all.isEmpty()) {
      text.header(name, help);
    }
    for (Series each : all) {
      text.line(name, each.labels, "");
      text.number(time.apply(each).toEpochMilli(), 3);
    }
  }

  private void info(Series job, Facts facts) {
    int uid = facts.job().uid();
    String labels =
        job.labels
            + label("user", user.apply(uid))
            + label("uid", Integer.toUnsignedString(uid))
            + label("account", facts.account())
            + label("partition", facts.partition())
            + label("provider", provider)
            + label("sluid", facts.sluid())
            + label("array", facts.job().label().batchId());
    text.line(PREFIX + "job_info", labels, "");
    text.number(1, 0);
  }
}
