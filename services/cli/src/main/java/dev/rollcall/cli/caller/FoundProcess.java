package dev.rollcall.cli.caller;

import com.google.protobuf.Duration;
import dev.rollcall.cli.ask.Users;
import dev.rollcall.cli.text.Table;
import dev.rollcall.cli.text.Values;
import dev.rollcall.proto.v1.ProcessAnswer;
import dev.rollcall.proto.v1.ProcessInJob;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Shows the job of a process, or that it is in none. */
record FoundProcess(String node, int pid, ProcessAnswer answer, Users users) {
  Table table() {
    var table = new Table("JOB", "STEP", "NODE", "USER", "PID", "SEEN", "AGE");
    if (!answer.hasInJob()) {
      var none = answer.getInNoJob();
      return table.row(
          "none", "", node, "", pid, Values.clock(none.getSeenAt()), age(none.getAge()));
    }
    ProcessInJob found = answer.getInJob();
    return table.row(
        found.getJob().getJobId(),
        found.getJob().getStep(),
        node,
        user(found),
        pid,
        Values.clock(found.getSeenAt()),
        age(found.getAge()) + (found.getStale() ? ", node lost" : ""));
  }

  /** Of a process that is in no job, the job and all that belongs to it is null. */
  @SuppressWarnings("NullAway")
  Map<String, Object> json() {
    var json = new LinkedHashMap<String, Object>();
    boolean in = answer.hasInJob();
    ProcessInJob found = answer.getInJob();
    json.put("node", node);
    json.put("pid", pid);
    json.put("start_time", in ? found.getProcess().getStartTime() : null);
    json.put("job", in ? found.getJob().getJobId() : null);
    json.put("step", in ? found.getJob().getStep() : null);
    json.put("user", in ? user(found) : null);
    json.put("uid", in ? Integer.toUnsignedLong(found.getUid()) : null);
    json.put("seen_at", Values.time(in ? found.getSeenAt() : answer.getInNoJob().getSeenAt()));
    json.put("age_ms", millis(in ? found.getAge() : answer.getInNoJob().getAge()));
    json.put("stale", in && found.getStale());
    return json;
  }

  private String user(ProcessInJob found) {
    return users.nameOf(Integer.toUnsignedLong(found.getUid()));
  }

  private static long millis(Duration age) {
    return age.getSeconds() * 1_000 + age.getNanos() / 1_000_000;
  }

  private static String age(Duration age) {
    return String.format(Locale.ROOT, "%.1f s", millis(age) / 1_000.0);
  }
}
