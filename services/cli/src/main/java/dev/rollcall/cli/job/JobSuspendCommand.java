package dev.rollcall.cli.job;

import dev.rollcall.cli.ask.CliContext;
import dev.rollcall.proto.v1.SuspendRequest;
import java.time.Duration;
import picocli.CommandLine.Command;

/** Stops a job on this node. */
@Command(
    name = "suspend",
    description =
        "Stop every process of a job on this node; nothing enters it until it is resumed. As root.")
public final class JobSuspendCommand extends JobCommand {
  /** For logins that are under way and processes that are in the kernel. */
  private static final Duration LONGEST = Duration.ofSeconds(20);

  public JobSuspendCommand(CliContext outside) {
    super(outside);
  }

  @Override
  public Integer call() {
    SuspendRequest request = SuspendRequest.newBuilder().setJobId(job.number()).build();
    return changed(asking.jobs(LONGEST, service -> service.suspend(request)).getJob(), "suspended");
  }
}
