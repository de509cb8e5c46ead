package dev.rollcall.cli.job;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.cli.text.Table;
import dev.rollcall.cli.text.Values;
import dev.rollcall.proto.v1.JobIncident;
import dev.rollcall.proto.v1.SilentNode;
import dev.rollcall.proto.v1.Usage;
import dev.rollcall.proto.v1.UsageRecord;
import java.util.List;

/**
 * Prints the usage of jobs, as text and JSON. Values that the node does not count are "-", in JSON
 * null.
 */
final class UsagePrinter {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

  /** Values that a node may not count, by their names in the message. */
  private static final List<String> COUNTS =
      List.of(
          "memory_now",
          "memory_peak",
          "memory_anonymous",
          "memory_shared",
          "memory_cache",
          "memory_required_sampled_peak",
          "page_faults",
          "major_page_faults",
          "read_bytes",
          "written_bytes",
          "processes_now",
          "processes_peak",
          "oom_kills",
          "pids_refused");

  private UsagePrinter() {}

  static Table table() {
    return new Table(
        "NODE",
        "KIND",
        "STEP",
        "SESSION",
        "BEGAN",
        "ENDED",
        "CPU",
        "MEMORY",
        "PEAK",
        "REQUIRED",
        "READ",
        "WRITTEN",
        "PROCESSES",
        "OOM",
        "REFUSED");
  }

  static void row(Table table, UsageRecord record) {
    Usage usage = record.getUsage();
    table.row(
        record.getNode(),
        Values.state(record.getKind(), "USAGE_KIND_"),
        record.getStep(),
        record.hasSession() ? record.getSession() : "",
        Values.clock(record.getBeganAt()),
        Values.clock(record.getEndedAt()),
        cpu(usage),
        usage.hasMemoryNow() ? size(usage.getMemoryNow()) : "",
        usage.hasMemoryPeak() ? size(usage.getMemoryPeak()) : "",
        usage.hasMemoryRequiredSampledPeak() ? size(usage.getMemoryRequiredSampledPeak()) : "",
        usage.hasReadBytes() ? size(usage.getReadBytes()) : "",
        usage.hasWrittenBytes() ? size(usage.getWrittenBytes()) : "",
        usage.hasProcessesNow() ? usage.getProcessesNow() : "",
        usage.hasOomKills() ? usage.getOomKills() : "",
        usage.hasPidsRefused() ? usage.getPidsRefused() : "");
  }

  private static String cpu(Usage usage) {
    return usage.hasUserTime()
        ? "%.2fs".formatted(seconds(usage.getUserTime()) + seconds(usage.getSystemTime()))
        : "";
  }

  static String size(long bytes) {
    double size = bytes;
    int unit = 0;
    while (size >= 1024 && unit < UNITS.length - 1) {
      size /= 1024;
      unit++;
    }
    return unit == 0 ? bytes + "B" : "%.1f%s".formatted(size, UNITS[unit]);
  }

  static JsonFields json(UsageRecord record) {
    Usage usage = record.getUsage();
    JsonFields json =
        new JsonFields()
            .with("kind", Values.state(record.getKind(), "USAGE_KIND_"))
            .with("node", record.getNode())
            .with("job", record.getJobId())
            .withText("step", record.getStep())
            .with("session", record.hasSession() ? record.getSession() : null)
            .with("uid", Integer.toUnsignedLong(record.getUid()))
            .with("began_at", Values.time(record.getBeganAt()))
            .with("ended_at", record.hasEndedAt() ? Values.time(record.getEndedAt()) : null)
            .with("user_seconds", usage.hasUserTime() ? seconds(usage.getUserTime()) : null)
            .with("system_seconds", usage.hasSystemTime() ? seconds(usage.getSystemTime()) : null);
    for (String count : COUNTS) {
      FieldDescriptor field = Usage.getDescriptor().findFieldByName(count);
      json.put(count, usage.hasField(field) ? usage.getField(field) : null);
    }
    return json.with("pressure", usage.hasPressure() ? pressure(usage) : null);
  }

  static JsonFields json(SilentNode node) {
    return new JsonFields().with("node", node.getNode()).with("silence", node.getSilence());
  }

  private static JsonFields pressure(Usage usage) {
    return new JsonFields()
        .with("cpu_seconds", seconds(usage.getPressure().getCpu()))
        .with("memory_seconds", seconds(usage.getPressure().getMemory()))
        .with("io_seconds", seconds(usage.getPressure().getIo()));
  }

  static double seconds(Duration time) {
    return time.getSeconds() + time.getNanos() / 1e9;
  }

  static JsonFields json(JobIncident incident) {
    return new JsonFields()
        .with("kind", word(incident))
        .with("node", incident.getNode())
        .with("job", incident.getJob().getJobId())
        .with("step", incident.getJob().getStep())
        .with("session", incident.hasSession() ? incident.getSession() : null)
        .with("times", incident.getTimes())
        .with("at", Values.time(incident.getAt()))
        .with("what", incident.getWhat());
  }

  /** As it is written in logs and metrics: {@code oom-kill}. */
  static String word(JobIncident incident) {
    return Values.state(incident.getKind(), "INCIDENT_KIND_").replace('_', '-');
  }
}
