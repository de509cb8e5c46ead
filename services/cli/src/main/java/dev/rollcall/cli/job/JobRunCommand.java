package dev.rollcall.cli.job;

import dev.rollcall.cli.ask.CliContext;
import dev.rollcall.cli.ask.TargetOptions;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.model.JobId;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.proto.v1.BeginStepRequest;
import dev.rollcall.proto.v1.BeginStepResponse;
import dev.rollcall.wire.AllocationMapper;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Runs a command as a step of a job. The launcher's own process becomes the step: it writes its pid
 * into the step's cgroups and execs, so the pid, the signals and the exit status are the command's
 * and no JVM stays beside it.
 */
@Command(
    name = "run",
    description = "Run a command as a step of a job on this node, as the job's owner. As root.")
public final class JobRunCommand implements Callable<Integer> {
  @Mixin private final TargetOptions asking = new TargetOptions();
  @Mixin private final LimitOptions limits = new LimitOptions();

  @Mixin
  private final AllocationOptions.DeviceOptions devices = new AllocationOptions.DeviceOptions();

  @Option(names = "--job", paramLabel = "JOB", required = true, description = "The job's number.")
  private JobId job = new JobId(1);

  @Option(
      names = "--step",
      paramLabel = "STEP",
      description = "The step (default: the next free number).")
  private @Nullable StepId step;

  @Parameters(
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "The command and its arguments, after --.")
  private List<String> command = List.of();

  private final CliContext outside;

  public JobRunCommand(CliContext outside) {
    this.outside = outside;
  }

  @Override
  public Integer call() {
    CliContext.Plan plan = outside.planOf("job run");
    var request = BeginStepRequest.newBuilder().setJobId(job.number());
    if (step != null) {
      request.setStep(step.text());
    }
    if (!limits.limits().isNone()) {
      request.setLimits(AllocationMapper.toProto(limits.limits()));
    }
    if (!devices.rules().equals(DeviceRules.OPEN)) {
      request.setDevices(AllocationMapper.toProto(devices.rules()));
    }
    BeginStepResponse begun = asking.jobs(service -> service.beginStep(request.build()));
    var user = outside.users().find(Long.toString(Integer.toUnsignedLong(begun.getUid())));
    plan.pass("the step", new StepScript(begun, user).commands(command));
    return ExitCode.OK.status();
  }
}
