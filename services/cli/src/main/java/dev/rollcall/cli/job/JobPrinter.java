package dev.rollcall.cli.job;

import dev.rollcall.cli.ask.Users;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.cli.text.Table;
import dev.rollcall.cli.text.Values;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.ListedProcess;
import java.util.List;

/** Prints a job, and its processes. */
public record JobPrinter(Users users) {
  public Table table(List<Job> jobs) {
    var table = new Table("JOB", "NODE", "USER", "STATE", "STARTED", "BATCH-ID");
    for (Job job : jobs) {
      String state = state(job) + (job.getStale() ? " (stale)" : "");
      table.row(
          job.getJobId(),
          job.getNode(),
          user(job),
          state,
          Values.clock(job.getStartedAt()),
          job.getBatchId());
    }
    return jobs.stream().allMatch(job -> job.getBatchId().isEmpty())
        ? table.only("JOB", "NODE", "USER", "STATE", "STARTED")
        : table;
  }

  public JsonFields json(Job job) {
    return new JsonFields()
        .with("job", job.getJobId())
        .with("batch_id", job.getBatchId().isEmpty() ? null : job.getBatchId())
        .with("name", job.getName().isEmpty() ? null : job.getName())
        .with("node", job.getNode())
        .with("user", user(job))
        .with("uid", Integer.toUnsignedLong(job.getUid()))
        .with("gid", Integer.toUnsignedLong(job.getGid()))
        .with("state", state(job))
        .with("started_at", Values.time(job.getStartedAt()))
        .with("stale", job.getStale());
  }

  static JsonFields json(ListedProcess process) {
    return new JsonFields()
        .with("pid", process.getProcess().getPid())
        .with("start_time", process.getProcess().getStartTime())
        .with("step", process.getStep())
        .with("command", process.getCommand());
  }

  /** The name that the job's node gave, else the one that this machine knows. */
  String user(Job job) {
    return job.getUser().isEmpty() ? users.nameOf(job.getUid()) : job.getUser();
  }

  private static String state(Job job) {
    return Values.state(job.getState(), "JOB_STATE_");
  }
}
