package dev.rollcall.cli.job;

import dev.rollcall.cli.ask.CliContext;
import dev.rollcall.proto.v1.ResumeRequest;
import picocli.CommandLine.Command;

/** Lets a suspended job on this node go on. */
@Command(name = "resume", description = "Resume a suspended job on this node. As root.")
public final class JobResumeCommand extends JobCommand {
  public JobResumeCommand(CliContext outside) {
    super(outside);
  }

  @Override
  public Integer call() {
    ResumeRequest request = ResumeRequest.newBuilder().setJobId(job.number()).build();
    return changed(asking.jobs(service -> service.resume(request)).getJob(), "open");
  }
}
