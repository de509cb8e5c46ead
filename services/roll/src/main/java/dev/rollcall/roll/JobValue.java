package dev.rollcall.roll;

import static java.util.Objects.requireNonNull;

import com.hazelcast.nio.serialization.compact.CompactReader;
import com.hazelcast.nio.serialization.compact.CompactWriter;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobLabel;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.JobState;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The value of a job on a node in the Hazelcast map. */
record JobValue(
    NodeEpoch epoch,
    long registration,
    Job job,
    String user,
    List<JobProcess> processes,
    Instant observedAt)
    implements Statement {
  /** Processes as columns: one schema, no object for each. */
  static final Serializer<JobValue> SERIALIZER =
      new Serializer<>("rollcall.job", JobValue.class, JobValue::write, JobValue::read);

  JobValue {
    processes = List.copyOf(processes);
  }

  @Override
  public String node() {
    return epoch.node().text();
  }

  @Override
  public long rank() {
    return Times.nanos(observedAt);
  }

  private static void write(CompactWriter out, JobValue value) {
    Job job = value.job();
    List<JobProcess> processes = value.processes();
    NodeFields.writeEpoch(out, value.epoch());
    out.writeInt64("registration", value.registration());
    out.writeInt64("job", job.id().number());
    out.writeInt32("uid", job.uid());
    out.writeInt32("gid", job.gid());
    out.writeInt64("startedAt", Times.nanos(job.startedAt()));
    out.writeString("state", job.state().name());
    out.writeString("batchId", job.label().batchId());
    out.writeString("name", job.label().name());
    out.writeString("user", value.user());
    out.writeInt64("observedAt", Times.nanos(value.observedAt()));
    out.writeArrayOfInt32("pids", processes.stream().mapToInt(p -> p.process().pid()).toArray());
    out.writeArrayOfInt64(
        "startTimes", processes.stream().mapToLong(p -> p.process().startTime()).toArray());
    out.writeArrayOfString(
        "steps", processes.stream().map(p -> p.step().text()).toArray(String[]::new));
    out.writeArrayOfString(
        "commands", processes.stream().map(JobProcess::command).toArray(String[]::new));
  }

  private static JobValue read(CompactReader in) {
    var job =
        new Job(
            new JobId(in.readInt64("job")),
            in.readInt32("uid"),
            in.readInt32("gid"),
            Times.instant(in.readInt64("startedAt")),
            JobState.valueOf(NodeFields.string(in, "state")),
            new JobLabel(NodeFields.string(in, "batchId"), NodeFields.string(in, "name")));
    return new JobValue(
        NodeFields.readEpoch(in),
        in.readInt64("registration"),
        job,
        NodeFields.string(in, "user"),
        processes(in),
        Times.instant(in.readInt64("observedAt")));
  }

  private static List<JobProcess> processes(CompactReader in) {
    int[] pids = requireNonNull(in.readArrayOfInt32("pids"));
    long[] startTimes = requireNonNull(in.readArrayOfInt64("startTimes"));
    String[] steps = NodeFields.strings(in, "steps");
    String[] commands = NodeFields.strings(in, "commands");
    var processes = new ArrayList<JobProcess>(pids.length);
    for (int i = 0; i < pids.length; i++) {
      processes.add(
          new JobProcess(
              new ProcessRef(pids[i], startTimes[i]), new StepId(steps[i]), commands[i]));
    }
    return processes;
  }
}
