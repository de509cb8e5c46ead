package dev.rollcall.cli.job;

import com.google.protobuf.Duration;
import dev.rollcall.cli.text.Table;
import dev.rollcall.cli.text.Values;
import dev.rollcall.proto.v1.JobIncident;
import dev.rollcall.proto.v1.Usage;
import dev.rollcall.proto.v1.UsageRecord;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Prints the usage of jobs, as text and JSON. Values that the node does not count are "-", in JSON
 * null.
 */
final class UsagePrinter {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

  private UsagePrinter() {}

  static Table table() {
    return new Table(
        "KIND",
        "STEP",
        "SESSION",
        "BEGAN",
        "ENDED",
        "CPU",
        "MEMORY",
        "PEAK",
        "READ",
        "WRITTEN",
        "PROCESSES",
        "OOM",
        "REFUSED");
  }

  static void row(Table table, UsageRecord record) {
    Usage usage = record.getUsage();
    table.row(
        Values.state(record.getKind(), "USAGE_KIND_"),
        record.getStep(),
        record.hasSession() ? record.getSession() : "",
        Values.clock(record.getBeganAt()),
        Values.clock(record.getEndedAt()),
        cpu(usage),
        usage.hasMemoryNow() ? size(usage.getMemoryNow()) : "",
        usage.hasMemoryPeak() ? size(usage.getMemoryPeak()) : "",
        usage.hasReadBytes() ? size(usage.getReadBytes()) : "",
        usage.hasWrittenBytes() ? size(usage.getWrittenBytes()) : "",
        usage.hasProcessesNow() ? usage.getProcessesNow() : "",
        usage.hasOomKills() ? usage.getOomKills() : "",
        usage.hasPidsRefused() ? usage.getPidsRefused() : "");
  }

  private static String cpu(Usage usage) {
    return "%.2fs".formatted(seconds(usage.getUserTime()) + seconds(usage.getSystemTime()));
  }

  private static String size(long bytes) {
    double size = bytes;
    int unit = 0;
    while (size >= 1024 && unit < UNITS.length - 1) {
      size /= 1024;
      unit++;
    }
    return unit == 0 ? bytes + "B" : "%.1f%s".formatted(size, UNITS[unit]);
  }

  static Map<String, @Nullable Object> json(UsageRecord record) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("kind", Values.state(record.getKind(), "USAGE_KIND_"));
    json.put("node", record.getNode());
    json.put("job", record.getJobId());
    json.put("step", record.getStep().isEmpty() ? null : record.getStep());
    json.put("session", record.hasSession() ? record.getSession() : null);
    json.put("uid", Integer.toUnsignedLong(record.getUid()));
    json.put("began_at", Values.time(record.getBeganAt()));
    json.put("ended_at", record.hasEndedAt() ? Values.time(record.getEndedAt()) : null);
    usage(json, record.getUsage());
    return json;
  }

  private static void usage(Map<String, @Nullable Object> json, Usage usage) {
    json.put("user_seconds", seconds(usage.getUserTime()));
    json.put("system_seconds", seconds(usage.getSystemTime()));
    json.put("memory_now", usage.hasMemoryNow() ? usage.getMemoryNow() : null);
    json.put("memory_peak", usage.hasMemoryPeak() ? usage.getMemoryPeak() : null);
    json.put("memory_anonymous", usage.hasMemoryAnonymous() ? usage.getMemoryAnonymous() : null);
    json.put(
        "memory_anonymous_sampled_peak",
        usage.hasMemoryAnonymousSampledPeak() ? usage.getMemoryAnonymousSampledPeak() : null);
    json.put("page_faults", usage.hasPageFaults() ? usage.getPageFaults() : null);
    json.put("major_page_faults", usage.hasMajorPageFaults() ? usage.getMajorPageFaults() : null);
    json.put("read_bytes", usage.hasReadBytes() ? usage.getReadBytes() : null);
    json.put("written_bytes", usage.hasWrittenBytes() ? usage.getWrittenBytes() : null);
    json.put("processes_now", usage.hasProcessesNow() ? usage.getProcessesNow() : null);
    json.put("processes_peak", usage.hasProcessesPeak() ? usage.getProcessesPeak() : null);
    json.put("oom_kills", usage.hasOomKills() ? usage.getOomKills() : null);
    json.put("pids_refused", usage.hasPidsRefused() ? usage.getPidsRefused() : null);
    json.put("pressure", usage.hasPressure() ? pressure(usage) : null);
  }

  private static Map<String, Object> pressure(Usage usage) {
    var json = new LinkedHashMap<String, Object>();
    json.put("cpu_seconds", seconds(usage.getPressure().getCpu()));
    json.put("memory_seconds", seconds(usage.getPressure().getMemory()));
    json.put("io_seconds", seconds(usage.getPressure().getIo()));
    return json;
  }

  private static double seconds(Duration time) {
    return time.getSeconds() + time.getNanos() / 1e9;
  }

  static Map<String, @Nullable Object> json(JobIncident incident) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("kind", word(incident));
    json.put("node", incident.getNode());
    json.put("job", incident.getJob().getJobId());
    json.put("step", incident.getJob().getStep());
    json.put("session", incident.hasSession() ? incident.getSession() : null);
    json.put("times", incident.getTimes());
    json.put("at", Values.time(incident.getAt()));
    json.put("what", incident.getWhat());
    return json;
  }

  /** As it is written in logs and metrics: {@code oom-kill}. */
  static String word(JobIncident incident) {
    return Values.state(incident.getKind(), "INCIDENT_KIND_").replace('_', '-');
  }
}
