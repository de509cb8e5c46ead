package dev.rollcall.cli.job;

import dev.rollcall.cli.ask.Users;
import dev.rollcall.cli.text.Table;
import dev.rollcall.cli.text.Values;
import dev.rollcall.proto.v1.Job;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Prints a job. */
public final class JobPrinter {
  private final Users users;

  public JobPrinter(Users users) {
    this.users = users;
  }

  Table table(List<Job> jobs) {
    var table = new Table("JOB", "NODE", "USER", "STATE", "STARTED");
    for (Job job : jobs) {
      String state = state(job) + (job.getStale() ? " (stale)" : "");
      table.row(job.getJobId(), job.getNode(), user(job), state, Values.clock(job.getStartedAt()));
    }
    return table;
  }

  public Map<String, Object> json(Job job) {
    var json = new LinkedHashMap<String, Object>();
    json.put("job", job.getJobId());
    json.put("node", job.getNode());
    json.put("user", user(job));
    json.put("uid", Integer.toUnsignedLong(job.getUid()));
    json.put("gid", Integer.toUnsignedLong(job.getGid()));
    json.put("state", state(job));
    json.put("started_at", Values.time(job.getStartedAt()));
    json.put("stale", job.getStale());
    return json;
  }

  /** The name that the job's node gave, else the one that this machine knows. */
  String user(Job job) {
    return job.getUser().isEmpty()
        ? users.nameOf(Integer.toUnsignedLong(job.getUid()))
        : job.getUser();
  }

  private static String state(Job job) {
    return Values.state(job.getState(), "JOB_STATE_");
  }
}
