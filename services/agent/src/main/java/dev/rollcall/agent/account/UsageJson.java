package dev.rollcall.agent.account;

import dev.rollcall.model.NodeName;
import dev.rollcall.model.usage.Pressure;
import dev.rollcall.model.usage.Usage;
import dev.rollcall.model.usage.UsageRecord;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A record as one line of JSON, docs/accounting.md. What is not counted is null. */
final class UsageJson {
  private static final double NANOS = 1e9;

  private UsageJson() {}

  /** Without a newline. */
  static String line(UsageRecord record, NodeName node) {
    var json =
        new JsonObject()
            .put("kind", record.kind().name().toLowerCase(Locale.ROOT))
            .put("node", node.text())
            .put("job", record.job().number())
            .put("step", record.step().map(step -> step.text()).orElse(null))
            .put("session", number(record.session()))
            .put("uid", Integer.toUnsignedLong(record.uid()))
            .put("began_at", record.began().toString())
            .put("ended_at", record.ended().map(Object::toString).orElse(null));
    usage(json, record.usage());
    return json.encode();
  }

  private static void usage(JsonObject json, Usage usage) {
    json.put("user_seconds", usage.userTime().map(UsageJson::seconds).orElse(null))
        .put("system_seconds", usage.systemTime().map(UsageJson::seconds).orElse(null))
        .put("memory_now", number(usage.memoryNow()))
        .put("memory_peak", number(usage.memoryPeak()))
        .put("memory_anonymous", number(usage.details().anonymous()))
        .put("memory_shared", number(usage.details().shared()))
        .put("memory_cache", number(usage.details().cache()))
        .put("memory_required_sampled_peak", number(usage.details().sampledRequiredPeak()))
        .put("page_faults", number(usage.details().faults()))
        .put("major_page_faults", number(usage.details().majorFaults()))
        .put("read_bytes", number(usage.readBytes()))
        .put("written_bytes", number(usage.writtenBytes()))
        .put("processes_now", number(usage.processesNow()))
        .put("processes_peak", number(usage.processesPeak()))
        .put("oom_kills", number(usage.oomKills()))
        .put("pids_refused", number(usage.pidsRefused()))
        .put("pressure", usage.pressure().map(UsageJson::pressure).orElse(null));
  }

  private static JsonObject pressure(Pressure pressure) {
    return new JsonObject()
        .put("cpu_seconds", seconds(pressure.cpu()))
        .put("memory_seconds", seconds(pressure.memory()))
        .put("io_seconds", seconds(pressure.io()));
  }

  private static double seconds(Duration time) {
    return time.toNanos() / NANOS;
  }

  private static @Nullable Long number(OptionalLong number) {
    return number.isPresent() ? number.getAsLong() : null;
  }

  /**
   * The identity that all last records of one session, step or job share; empty for a line that is
   * no last record.
   */
  static Optional<String> identity(String line) {
    try {
      var json = new JsonObject(line);
      if (json.getString("ended_at") == null) {
        return Optional.empty();
      }
      return Optional.of(
          "%s %s %s %s %s %s"
              .formatted(
                  json.getString("kind"),
                  json.getString("node"),
                  json.getLong("job"),
                  json.getString("step"),
                  json.getLong("session"),
                  json.getString("began_at")));
    } catch (DecodeException | ClassCastException e) {
      return Optional.empty();
    }
  }
}
