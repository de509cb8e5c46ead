package dev.rollcall.cli.caller;

import com.google.protobuf.Duration;
import dev.rollcall.cli.ask.Users;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.cli.text.Table;
import dev.rollcall.cli.text.Values;
import dev.rollcall.proto.v1.ProcessAnswer;
import dev.rollcall.proto.v1.ProcessInJob;
import java.util.Locale;

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
  JsonFields json() {
    boolean in = answer.hasInJob();
    ProcessInJob found = answer.getInJob();
    return new JsonFields()
        .with("node", node)
        .with("pid", pid)
        .with("start_time", in ? found.getProcess().getStartTime() : null)
        .with("job", in ? found.getJob().getJobId() : null)
        .with("step", in ? found.getJob().getStep() : null)
        .with("user", in ? user(found) : null)
        .with("uid", in ? Integer.toUnsignedLong(found.getUid()) : null)
        .with("seen_at", Values.time(in ? found.getSeenAt() : answer.getInNoJob().getSeenAt()))
        .with("age_ms", millis(in ? found.getAge() : answer.getInNoJob().getAge()))
        .with("stale", in && found.getStale());
  }

  private String user(ProcessInJob found) {
    return users.nameOf(found.getUid());
  }

  private static long millis(Duration age) {
    return age.getSeconds() * 1_000 + age.getNanos() / 1_000_000;
  }

  private static String age(Duration age) {
    return String.format(Locale.ROOT, "%.1f s", millis(age) / 1_000.0);
  }
}
