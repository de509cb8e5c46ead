package dev.rollcall.cli.node;

import static java.util.stream.Collectors.joining;

import dev.rollcall.cli.ask.AskingCommand;
import dev.rollcall.cli.ask.Pages;
import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.text.DurationText;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.cli.text.TerminalText;
import dev.rollcall.linux.Persons;
import dev.rollcall.model.JobId;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.Leftover;
import dev.rollcall.proto.v1.LeftoverKind;
import dev.rollcall.proto.v1.ListLeftoversRequest;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.PredictRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Checks that nothing of a job is left on this node: a gate for epilogs and health checks. */
@Command(
    name = "clean",
    description =
        "Check that nothing of a job is left on this node: no processes, cgroups, namespaces and"
            + " private directories, and no System V objects of users without a job here. Exits 1"
            + " and names them if something is. As root.")
public final class NodeCleanCommand extends AskingCommand {
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final Duration PAUSE = Duration.ofMillis(200);

  @Option(
      names = "--job",
      paramLabel = "JOB",
      description = "The job's number (default: all jobs of this node that are ending).")
  private @Nullable JobId job;

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      defaultValue = "0",
      description =
          "How long to wait for the node to be clean, as 30s or 2m (default: ${DEFAULT-VALUE}).")
  private DurationText wait = new DurationText(Duration.ZERO);

  @Override
  public Integer call() throws InterruptedException {
    if (wait.duration().compareTo(LONGEST) > 0) {
      throw CommandFailure.usage("--wait " + wait + " is not within 0 to 10m");
    }
    long end = System.nanoTime() + wait.duration().toNanos();
    Left left = left();
    while (!left.isEmpty() && System.nanoTime() - end < 0) {
      Thread.sleep(PAUSE);
      left = left();
    }
    printing.print(text(left), json(left));
    return (left.isEmpty() ? ExitCode.OK : ExitCode.FAILED).status();
  }

  /** What jobs left, and what users did who have no job any more. */
  private record Left(List<Leftover> ofJobs, List<SystemVObject> ofUsers) {
    boolean isEmpty() {
      return ofJobs.isEmpty() && ofUsers.isEmpty();
    }
  }

  private Left left() {
    var request = ListLeftoversRequest.newBuilder().setJobId(job == null ? 0 : job.number());
    return new Left(
        asking.jobs(service -> service.listLeftovers(request.build())).getLeftoversList(),
        ofUsersWithoutAJob());
  }

  private List<SystemVObject> ofUsersWithoutAJob() {
    try {
      Persons persons = Persons.of(Path.of("/etc/login.defs"));
      List<SystemVObject> found =
          SystemVObject.unused(outside.ownProcesses().root()).stream()
              .filter(each -> persons.has(each.creator()))
              .toList();
      if (found.isEmpty()) {
        return found;
      }
      Set<Integer> withJob =
          jobsHere(found.getFirst().creator()).stream()
              .map(Job::getUid)
              .collect(Collectors.toSet());
      return found.stream().filter(each -> !withJob.contains(each.creator())).toList();
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCode.FAILED, "cannot read System V objects: " + e.getMessage(), e);
    }
  }

  /**
   * Lists the jobs as the agent has them now. A list that does not name the agent's own node is the
   * gateway's, which may be older; a prediction for any user has that name.
   */
  private List<Job> jobsHere(int anyUser) {
    var predicted = PredictRequest.newBuilder().setUid(anyUser).build();
    String here = asking.adoptions(service -> service.predict(predicted)).getNode();
    return asking.ask(channel -> Pages.jobs(channel, ListRequest.newBuilder().setNode(here)));
  }

  private String text(Left left) {
    if (left.isEmpty()) {
      return job == null
          ? "no job is ending on this node"
          : "nothing of job " + job + " is left on this node";
    }
    return Stream.concat(
            left.ofJobs().stream().map(NodeCleanCommand::line),
            left.ofUsers().stream().map(this::line))
        .collect(joining(System.lineSeparator()));
  }

  private String line(SystemVObject left) {
    return "user %s without a job: %s %s"
        .formatted(users().nameOf(left.creator()), left.kind().word(), left.name());
  }

  private static String line(Leftover left) {
    return "job %s: %s %s"
        .formatted(
            Long.toUnsignedString(left.getJobId()),
            word(left.getKind()),
            TerminalText.of(left.getName()));
  }

  private static String word(LeftoverKind kind) {
    return switch (kind) {
      case LEFTOVER_KIND_JOB -> "entry";
      case LEFTOVER_KIND_PROCESS -> "process";
      case LEFTOVER_KIND_CGROUP -> "cgroup";
      case LEFTOVER_KIND_NAMESPACE -> "namespace";
      case LEFTOVER_KIND_DIRECTORY -> "directory";
      case LEFTOVER_KIND_UNSPECIFIED, UNRECOGNIZED -> "other";
    };
  }

  private JsonFields json(Left left) {
    return new JsonFields()
        .with("clean", left.isEmpty())
        .with("left", left.ofJobs().stream().map(NodeCleanCommand::json).toList())
        .with("left_by_users", left.ofUsers().stream().map(this::json).toList());
  }

  private JsonFields json(SystemVObject left) {
    return new JsonFields()
        .with("user", users().nameOf(left.creator()))
        .with("kind", left.kind().word())
        .with("name", left.name());
  }

  private static JsonFields json(Leftover left) {
    return new JsonFields()
        .with("job", left.getJobId())
        .with("kind", word(left.getKind()))
        .with("name", left.getName());
  }
}
