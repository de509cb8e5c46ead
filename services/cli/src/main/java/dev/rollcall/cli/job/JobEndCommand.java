package dev.rollcall.cli.job;

import dev.rollcall.cli.ask.CliContext;
import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.text.DurationText;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.cli.text.TerminalText;
import dev.rollcall.proto.v1.EndRequest;
import dev.rollcall.proto.v1.EndResponse;
import java.time.Duration;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Ends a job on this node. */
@Command(
    name = "end",
    description =
        "End a job on this node: send SIGTERM, kill remaining processes after the grace period,"
            + " remove its cgroups. For epilogs, as root.")
public final class JobEndCommand extends JobCommand {
  private static final Duration LONGEST = Duration.ofMinutes(10);

  @Option(
      names = "--grace",
      paramLabel = "TIME",
      description =
          "Time from SIGTERM to SIGKILL, such as 30s or 2m; 0 kills at once (default: the agent's"
              + " end_grace_seconds).")
  private @Nullable DurationText grace;

  @Option(
      names = "--message",
      paramLabel = "TEXT",
      description =
          "Shown on the terminals of the job's sessions; '' shows none (default: job JOB is"
              + " ending).")
  private @Nullable String message;

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      defaultValue = "60s",
      description =
          "How long to wait, grace included, for the node to be clean (default:"
              + " ${DEFAULT-VALUE}).")
  private DurationText wait = new DurationText(Duration.ofMinutes(1));

  public JobEndCommand(CliContext outside) {
    super(outside);
  }

  @Override
  public Integer call() {
    check("--wait", wait);
    EndRequest.Builder request =
        EndRequest.newBuilder()
            .setJobId(job.number())
            .setWait(wait.toProto())
            .setMessage(message == null ? "job " + job + " is ending" : message);
    if (grace != null) {
      check("--grace", grace);
      request.setGrace(grace.toProto());
    }
    EndResponse ended = asking.jobs(wait.duration(), service -> service.end(request.build()));
    printing.print(ended.getClean() ? clean(ended) : unclean(ended), json(ended));
    return (ended.getClean() ? ExitCode.OK : ExitCode.FAILED).status();
  }

  private static void check(String option, DurationText span) {
    if (span.duration().compareTo(LONGEST) > 0) {
      throw CommandFailure.usage(option + " " + span + " is not within 0 to 10m");
    }
  }

  private String clean(EndResponse ended) {
    return "job " + job + " has ended, processes killed: " + ended.getKilled();
  }

  private String unclean(EndResponse ended) {
    String left =
        ended.getRemainingList().stream()
            .map(each -> each.getProcess().getPid() + " (" + printable(each.getCommand()) + ")")
            .collect(Collectors.joining(", "));
    String why = ended.getReason().isEmpty() ? "" : "; " + printable(ended.getReason());
    return "job %s is still ending after %s, processes left: %s%s".formatted(job, wait, left, why);
  }

  private static String printable(String text) {
    return TerminalText.of(text);
  }

  private JsonFields json(EndResponse ended) {
    return new JsonFields()
        .with("job", job.number())
        .with("clean", ended.getClean())
        .with("killed", ended.getKilled())
        .with("remaining", ended.getRemainingList().stream().map(ProcessPrinter::json).toList())
        .with("reason", ended.getReason());
  }
}
