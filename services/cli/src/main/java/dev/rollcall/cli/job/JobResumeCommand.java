package dev.rollcall.cli.job;

import dev.rollcall.cli.ask.AskingCommand;
import dev.rollcall.cli.ask.CliContext;
import dev.rollcall.model.JobId;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.ResumeRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Lets a suspended job on this node go on. */
@Command(name = "resume", description = "Resume a suspended job on this node. As root.")
public final class JobResumeCommand extends AskingCommand {
  @Parameters(paramLabel = "JOB", description = "The job's number.")
  private JobId job = new JobId(1);

  public JobResumeCommand(CliContext outside) {
    super(outside);
  }

  @Override
  public Integer call() {
    ResumeRequest request = ResumeRequest.newBuilder().setJobId(job.number()).build();
    Job changed = asking.jobs(service -> service.resume(request)).getJob();
    return printing.print(
        "job " + changed.getJobId() + " is open on " + changed.getNode(),
        new JobPrinter(users).json(changed));
  }
}
