package dev.rollcall.cli.job;

import static java.util.stream.Collectors.joining;

import dev.rollcall.cli.ask.CliContext;
import dev.rollcall.cli.ask.TargetOptions;
import dev.rollcall.cli.ask.UserOption;
import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.CommandGroup;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.job.AllocationOptions.DeviceOptions;
import dev.rollcall.cli.text.DurationText;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.cli.text.Printing;
import dev.rollcall.cli.text.TerminalText;
import dev.rollcall.model.JobId;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.model.allocation.DeviceRule;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.proto.v1.BeginRequest;
import dev.rollcall.proto.v1.BeginStepRequest;
import dev.rollcall.proto.v1.BeginStepResponse;
import dev.rollcall.proto.v1.EndRequest;
import dev.rollcall.proto.v1.EndResponse;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.LimitRequest;
import dev.rollcall.proto.v1.ResumeRequest;
import dev.rollcall.proto.v1.SetDevicesRequest;
import dev.rollcall.proto.v1.SuspendRequest;
import dev.rollcall.wire.AllocationMapper;
import dev.rollcall.wire.CallerMapper;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands that change jobs of this node, and run steps in them. */
@Command(name = "job", description = "Begin, stop, end, list jobs, and run commands in them.")
public final class JobCommands extends CommandGroup {
  private static final String JOBS_NUMBER = "The job's number.";
  private static final Duration LONGEST_END = Duration.ofMinutes(10);

  /** For logins that are under way and processes that are in the kernel. */
  private static final Duration LONGEST_SUSPENSION = Duration.ofSeconds(20);

  private final CliContext outside;

  private JobCommands(CliContext outside) {
    this.outside = outside;
  }

  public static CommandLine all(CliContext outside) {
    return inOrder(
        new CommandLine(new JobCommands(outside))
            .addSubcommand("list", new CommandLine(new JobsCommand()).setCommandName("list")),
        "begin",
        "end",
        "limit",
        "devices",
        "suspend",
        "resume",
        "run",
        "list");
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Begin a job on this node: make its cgroups. For prologs, as root.")
  int begin(
      @Mixin TargetOptions asking,
      @Mixin Printing printing,
      @Parameters(paramLabel = "JOB", description = JOBS_NUMBER) JobId job,
      @Mixin AllocationOptions given,
      @Mixin UserOption owner,
      @Option(
              names = "--gid",
              paramLabel = "GID",
              description = "The job's group (default: the owner's primary group).")
          @Nullable Long gid,
      @Option(
              names = "--start",
              paramLabel = "INSTANT",
              description =
                  "When the batch system started it, as 2026-11-20T09:30:00Z (default: now).")
          @Nullable Instant start,
      @Option(
              names = "--batch-environment",
              description =
                  "Also give the job's sessions the batch system's variables of this command's own"
                      + " environment: SLURM_*, *_VISIBLE_DEVICES, TMPDIR.")
          boolean batchEnvironment,
      @Option(
              names = "--container",
              paramLabel = "NAME|none",
              defaultValue = "",
              description =
                  "The job's container: one of container_choices of agent.yaml, or none (default:"
                      + " the one of container_conf).")
          String container) {
    BeginRequest.Builder request = BeginRequest.newBuilder().setJobId(job.number());
    request.setUid(owner.required(outside.users()));
    request.setGid(group(request.getUid(), gid));
    request.setContainer(container);
    if (start != null) {
      request.setStartedAt(CallerMapper.timestamp(start));
    }
    Allocation allocation = given.allocation();
    if (batchEnvironment) {
      allocation =
          allocation.with(BatchEnvironment.of(outside.environment()), allocation.environment());
    }
    if (!allocation.equals(Allocation.NONE)) {
      request.setAllocation(AllocationMapper.toProto(allocation));
    }
    Job begun = asking.jobs(service -> service.begin(request.build())).getJob();
    var words = new JobPrinter(outside.users());
    return printing.print(
        "job " + begun.getJobId() + " of " + words.user(begun) + " is open on " + begun.getNode(),
        words.json(begun));
  }

  private int group(int owner, @Nullable Long gid) {
    if (gid == null) {
      return outside
          .users()
          .find(owner)
          .map(user -> (int) user.gid())
          .orElseThrow(() ->
              CommandFailure.usage(
                  "uid %s is not known here: give its group with --gid"
                      .formatted(Integer.toUnsignedString(owner))));
    }
    if (gid < 0 || gid >= 0xffff_ffffL) {
      throw CommandFailure.usage("gid " + gid + " is not within 0 to 4294967294");
    }
    return gid.intValue();
  }

  @Command(
      mixinStandardHelpOptions = true,
      description =
          "End a job on this node: send SIGTERM, kill remaining processes after the grace period,"
              + " remove its cgroups. For epilogs, as root.")
  int end(
      @Mixin TargetOptions asking,
      @Mixin Printing printing,
      @Parameters(paramLabel = "JOB", description = JOBS_NUMBER) JobId job,
      @Mixin UserOption owner,
      @Option(
              names = "--grace",
              paramLabel = "TIME",
              description =
                  "Time from SIGTERM to SIGKILL, such as 30s or 2m; 0 kills at once (default: the"
                      + " agent's end_grace_seconds).")
          @Nullable DurationText grace,
      @Option(
              names = "--message",
              paramLabel = "TEXT",
              description =
                  "Shown on the terminals of the job's sessions; '' shows none (default: job JOB is"
                      + " ending).")
          @Nullable String message,
      @Option(
              names = "--wait",
              paramLabel = "TIME",
              defaultValue = "60s",
              description =
                  "How long to wait, grace included, for the node to be clean (default:"
                      + " ${DEFAULT-VALUE}).")
          DurationText wait) {
    check("--wait", wait);
    EndRequest.Builder request =
        EndRequest.newBuilder()
            .setJobId(job.number())
            .setWait(CallerMapper.duration(wait.duration()))
            .setMessage(message == null ? "job " + job + " is ending" : message);
    owner.uid(outside.users()).ifPresent(request::setUid);
    if (grace != null) {
      check("--grace", grace);
      request.setGrace(CallerMapper.duration(grace.duration()));
    }
    EndResponse ended = asking.jobs(wait.duration(), service -> service.end(request.build()));
    JsonFields json =
        new JsonFields()
            .with("job", job.number())
            .with("clean", ended.getClean())
            .with("killed", ended.getKilled())
            .with("remaining", ended.getRemainingList().stream().map(JobPrinter::json).toList())
            .with("reason", ended.getReason());
    printing.print(outcome(job, wait, ended), json);
    return (ended.getClean() ? ExitCode.OK : ExitCode.FAILED).status();
  }

  private static String outcome(JobId job, DurationText wait, EndResponse ended) {
    if (ended.getAbsent()) {
      return "no job " + job + " is on this node: it has ended before, or never began here";
    }
    return ended.getClean()
        ? "job " + job + " has ended, processes killed: " + ended.getKilled()
        : "job %s is still ending after %s, %s".formatted(job, wait, left(ended));
  }

  private static void check(String option, DurationText span) {
    if (span.duration().compareTo(LONGEST_END) > 0) {
      throw CommandFailure.usage(option + " " + span + " is not within 0 to 10m");
    }
  }

  private static String left(EndResponse ended) {
    String processes =
        ended.getRemainingList().stream()
            .map(each ->
                each.getProcess().getPid() + " (" + TerminalText.of(each.getCommand()) + ")")
            .collect(joining(", "));
    String why = ended.getReason().isEmpty() ? "" : "; " + TerminalText.of(ended.getReason());
    return "processes left: " + processes + why;
  }

  @Command(
      mixinStandardHelpOptions = true,
      description =
          "Change limits of a running job on this node: either all given limits, or none.")
  int limit(
      @Mixin TargetOptions asking,
      @Mixin Printing printing,
      @Mixin LimitOptions options,
      @Parameters(paramLabel = "JOB", description = JOBS_NUMBER) JobId job,
      @Option(
              names = "--step",
              paramLabel = "STEP",
              description = "Limits of this step (default: of the job as a whole).")
          @Nullable StepId step) {
    var request =
        LimitRequest.newBuilder()
            .setJobId(job.number())
            .setStep(step == null ? "" : step.text())
            .setLimits(AllocationMapper.toProto(options.limits()));
    var answer = asking.jobs(service -> service.limit(request.build()));
    Limits now = AllocationMapper.toModel(answer.getLimits(), "limits");
    return printing.print(
        named(job, step) + " has " + LimitPrinter.text(now), LimitPrinter.json(job, step, now));
  }

  private static String named(JobId job, @Nullable StepId step) {
    return step == null ? "job " + job : "step " + job + "." + step;
  }

  /** Puts other rules about devices in the place of those that a job or step has. */
  @Command(
      mixinStandardHelpOptions = true,
      description = "Change the devices that a running job on this node may open.")
  int devices(
      @Mixin TargetOptions asking,
      @Mixin Printing printing,
      @Mixin DeviceOptions options,
      @Parameters(paramLabel = "JOB", description = JOBS_NUMBER) JobId job,
      @Option(
              names = "--step",
              paramLabel = "STEP",
              description = "Rules of this step (default: of the job as a whole).")
          @Nullable StepId step,
      @Option(names = "--device-all", description = "All devices, as without any rule.")
          boolean all) {
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
    List<String> words = rules.rules().stream().map(DeviceRule::toString).toList();
    String may =
        switch (rules.kind()) {
          case OPEN -> "all devices";
          case ALLOW_LIST -> "the base devices and " + String.join(", ", words);
          case DENY_LIST -> "all devices but " + String.join(", ", words);
        };
    return printing.print(
        named(job, step) + " may open " + may,
        new JsonFields()
            .with("job", job.number())
            .with("step", step == null ? null : step.text())
            .with("kind", rules.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .with("rules", words));
  }

  @Command(
      mixinStandardHelpOptions = true,
      description =
          "Stop every process of a job on this node; nothing enters it until it is resumed. As"
              + " root.")
  int suspend(
      @Mixin TargetOptions asking,
      @Mixin Printing printing,
      @Parameters(paramLabel = "JOB", description = JOBS_NUMBER) JobId job) {
    SuspendRequest request = SuspendRequest.newBuilder().setJobId(job.number()).build();
    var answer = asking.jobs(LONGEST_SUSPENSION, service -> service.suspend(request));
    String waiting = answer.getWaiting();
    return changed(
        printing,
        answer.getJob(),
        "suspended",
        waiting.isEmpty()
            ? ""
            : "; FUSE servers of its owner do not answer, and these processes stop when they leave"
                + " the kernel: "
                + waiting,
        new JobPrinter(outside.users()).json(answer.getJob()).with("waiting", waiting));
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Resume a suspended job on this node. As root.")
  int resume(
      @Mixin TargetOptions asking,
      @Mixin Printing printing,
      @Parameters(paramLabel = "JOB", description = JOBS_NUMBER) JobId job) {
    ResumeRequest request = ResumeRequest.newBuilder().setJobId(job.number()).build();
    Job open = asking.jobs(service -> service.resume(request)).getJob();
    return changed(printing, open, "open", "", new JobPrinter(outside.users()).json(open));
  }

  private static int changed(
      Printing printing, Job changed, String state, String more, JsonFields json) {
    return printing.print(
        "job " + changed.getJobId() + " is " + state + " on " + changed.getNode() + more, json);
  }

  /**
   * Runs a command as a step of a job. The launcher's own process becomes the step: it writes its
   * pid into the step's cgroups and execs, so the pid, the signals and the exit status are the
   * command's and no JVM stays beside it.
   */
  @Command(
      mixinStandardHelpOptions = true,
      description = "Run a command as a step of a job on this node, as the job's owner. As root.")
  int run(
      @Mixin TargetOptions asking,
      @Mixin LimitOptions limits,
      @Mixin DeviceOptions devices,
      @Option(names = "--job", paramLabel = "JOB", required = true, description = JOBS_NUMBER)
          JobId job,
      @Option(
              names = "--step",
              paramLabel = "STEP",
              description = "The step (default: the next free number).")
          @Nullable StepId step,
      @Parameters(
              arity = "1..*",
              paramLabel = "COMMAND",
              description = "The command and its arguments, after --.")
          List<String> command) {
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
    var user = outside.users().find(begun.getUid());
    plan.pass("the step", new StepScript(begun, user).commands(command));
    return ExitCode.OK.status();
  }
}
