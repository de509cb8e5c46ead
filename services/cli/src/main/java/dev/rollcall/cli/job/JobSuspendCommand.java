package dev.rollcall.cli.job;

import dev.rollcall.cli.ask.AskingCommand;
import dev.rollcall.cli.ask.CliContext;
import dev.rollcall.model.JobId;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.SuspendRequest;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Stops a job on this node. */
@Command(
    name = "suspend",
    description =
        "Stop every process of a job on this node; nothing enters it until it is resumed. As root.")
public final class JobSuspendCommand extends AskingCommand {
  /** For logins that are under way and processes that are in the kernel. */
  private static final Duration LONGEST = Duration.ofSeconds(20);

  @Parameters(paramLabel = "JOB", description = "The job's number.")
  private JobId job = new JobId(1);

  public JobSuspendCommand(CliContext outside) {
    super(outside);
  }

  @Override
  public Integer call() {
    SuspendRequest request = SuspendRequest.newBuilder().setJobId(job.number()).build();
    Job changed = asking.jobs(LONGEST, service -> service.suspend(request)).getJob();
    return printing.print(
        "job " + changed.getJobId() + " is suspended on " + changed.getNode(),
        new JobPrinter(users).json(changed));
  }
}
