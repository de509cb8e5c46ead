package dev.rollcall.cli.job;

import com.google.protobuf.Timestamp;
import dev.rollcall.cli.ask.UserOption;
import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.proto.v1.BeginRequest;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.wire.AllocationMapper;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Begins a job on this node. */
@Command(
    name = "begin",
    description = "Begin a job on this node: make its cgroups. For prologs, as root.")
public final class JobBeginCommand extends JobCommand {
  @Mixin private final AllocationOptions given = new AllocationOptions();

  @Option(
      names = "--user",
      paramLabel = "NAME|UID",
      required = true,
      description = "The job's owner.")
  private String user = "";

  @Option(
      names = "--gid",
      paramLabel = "GID",
      description = "The job's group (default: the owner's primary group).")
  private @Nullable Long gid;

  @Option(
      names = "--start",
      paramLabel = "INSTANT",
      description = "When the batch system started it, as 2026-11-20T09:30:00Z (default: now).")
  private @Nullable Instant start;

  @Option(
      names = "--batch-environment",
      description =
          "Also give the job's sessions the batch system's variables of this command's own"
              + " environment: SLURM_*, *_VISIBLE_DEVICES, TMPDIR.")
  private boolean batchEnvironment;

  @Option(
      names = "--container",
      paramLabel = "NAME|none",
      description =
          "The job's container: one of container_choices of agent.yaml, or none (default: the one of"
              + " container_conf).")
  private String container = "";

  @Override
  public Integer call() {
    BeginRequest.Builder request = BeginRequest.newBuilder().setJobId(job.number());
    request.setUid((int) UserOption.uidOf(user, users()));
    request.setGid((int) group());
    request.setContainer(container);
    if (start != null) {
      request.setStartedAt(
          Timestamp.newBuilder().setSeconds(start.getEpochSecond()).setNanos(start.getNano()));
    }
    Allocation allocation = given.allocation();
    if (batchEnvironment) {
      allocation = allocation.with(BatchEnvironment.of(outside.environment()), allocation.environment());
    }
    if (!allocation.equals(Allocation.NONE)) {
      request.setAllocation(AllocationMapper.toProto(allocation));
    }
    Job begun = asking.jobs(service -> service.begin(request.build())).getJob();
    var words = new JobPrinter(users());
    return printing.print(
        "job " + begun.getJobId() + " of " + words.user(begun) + " is open on " + begun.getNode(),
        words.json(begun));
  }

  private long group() {
    if (gid == null) {
      return UserOption.gidOf(user, users());
    }
    if (gid < 0 || gid >= 0xffff_ffffL) {
      throw CommandFailure.usage("gid " + gid + " is not within 0 to 4294967294");
    }
    return gid;
  }
}
