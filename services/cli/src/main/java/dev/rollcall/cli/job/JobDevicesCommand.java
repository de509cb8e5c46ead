package dev.rollcall.cli.job;

import static java.util.stream.Collectors.joining;

import dev.rollcall.cli.ask.CliContext;
import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.job.AllocationOptions.DeviceOptions;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.DeviceRule;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.proto.v1.SetDevicesRequest;
import dev.rollcall.wire.AllocationMapper;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Puts other rules about devices in the place of those that a job or step has. */
@Command(
    name = "devices",
    description = "Change the devices that a running job on this node may open.")
public final class JobDevicesCommand extends JobCommand {
  @Mixin private final DeviceOptions options = new DeviceOptions();

  @Option(
      names = "--step",
      paramLabel = "STEP",
      description = "Rules of this step (default: of the job as a whole).")
  private @Nullable StepId step;

  @Option(names = "--device-all", description = "All devices, as without any rule.")
  private boolean all;

  public JobDevicesCommand(CliContext outside) {
    super(outside);
  }

  @Override
  public Integer call() {
    DeviceRules rules = options.rules();
    if (all == (rules.kind() != DeviceRules.Kind.OPEN)) {
      throw CommandFailure.usage("one of --device-allow, --device-deny and --device-all is needed");
    }
    var request =
        SetDevicesRequest.newBuilder()
            .setJobId(job.number())
            .setStep(step == null ? "" : step.text())
            .setDevices(AllocationMapper.toProto(rules));
    var _ = asking.jobs(service -> service.setDevices(request.build()));
    return printing.print(
        (step == null ? "job " + job : "step " + job + "." + step) + " may open " + text(rules),
        json(rules));
  }

  private static String text(DeviceRules rules) {
    String named = rules.rules().stream().map(DeviceRule::toString).collect(joining(", "));
    return switch (rules.kind()) {
      case OPEN -> "all devices";
      case ALLOW_LIST -> "the base devices and " + named;
      case DENY_LIST -> "all devices but " + named;
    };
  }

  private JsonFields json(DeviceRules rules) {
    return new JsonFields()
        .with("job", job.number())
        .with("step", step == null ? null : step.text())
        .with("kind", rules.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'))
        .with("rules", rules.rules().stream().map(DeviceRule::toString).toList());
  }
}
