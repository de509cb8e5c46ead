package dev.rollcall.cli.job;

import dev.rollcall.cli.ask.CliContext;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.proto.v1.LimitRequest;
import dev.rollcall.wire.AllocationMapper;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Changes limits of a job or step that runs. */
@Command(
    name = "limit",
    description = "Change limits of a running job on this node: either all given limits, or none.")
public final class JobLimitCommand extends JobCommand {
  @Mixin private final LimitOptions options = new LimitOptions();

  @Option(
      names = "--step",
      paramLabel = "STEP",
      description = "Limits of this step (default: of the job as a whole).")
  private @Nullable StepId step;

  public JobLimitCommand(CliContext outside) {
    super(outside);
  }

  @Override
  public Integer call() {
    var request =
        LimitRequest.newBuilder()
            .setJobId(job.number())
            .setStep(step == null ? "" : step.text())
            .setLimits(AllocationMapper.toProto(options.limits()));
    var answer = asking.jobs(service -> service.limit(request.build()));
    Limits now = AllocationMapper.toModel(answer.getLimits(), "limits");
    String whose = step == null ? "job " + job : "step " + job + "." + step;
    return printing.print(
        whose + " has " + LimitPrinter.text(now), LimitPrinter.json(job, step, now));
  }
}
