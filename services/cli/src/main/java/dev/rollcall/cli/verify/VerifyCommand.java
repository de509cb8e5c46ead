package dev.rollcall.cli.verify;

import dev.rollcall.cli.ask.AskingCommand;
import dev.rollcall.cli.ask.TimeLimit;
import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.job.StepScript;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.cli.text.Table;
import dev.rollcall.cli.verify.Comparison.Difference;
import dev.rollcall.linux.KernelText;
import dev.rollcall.model.JobId;
import dev.rollcall.proto.v1.BeginStepRequest;
import dev.rollcall.proto.v1.BeginStepResponse;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.JobState;
import dev.rollcall.proto.v1.ListProcessesRequest;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.NodeProcesses;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Compares what an ssh session sees of a job with what a step sees. Root begins a step, which looks
 * about and then calls this node by ssh, as the job's owner: so the session follows its caller into
 * the same job. Anybody else's session is compared with a step of theirs that runs already.
 */
@Command(
    name = "verify",
    description =
        "Compare the view of a job from an ssh session with that from a step, on this node.")
public final class VerifyCommand extends AskingCommand {
  private static final String BETWEEN = "@session";
  private static final int LONGEST = 600;
  private static final String EXTERN = "extern";

  /** Runs the probe, and hands it to a shell at the other end. */
  private static final String BOTH =
      "eval \"$1\"; echo " + BETWEEN + "; shift; printf '%s\\n' \"$0\" | exec \"$@\"";

  @Parameters(
      arity = "0..1",
      paramLabel = "JOB",
      description = "The job (default: the only one here).")
  private @Nullable JobId job;

  @Option(
      names = "--host",
      paramLabel = "HOST",
      description = "The name of this node for ssh (default: its host name).")
  private @Nullable String host;

  @Option(names = "--port", paramLabel = "PORT", description = "sshd's port (default: ssh's own).")
  private @Nullable Integer port;

  @Option(
      names = "--within",
      paramLabel = "SECONDS",
      description = "Time limit in seconds for the whole comparison (default: 30).")
  private int within = 30;

  /** A step's sight and a session's. */
  private record Sights(ProcessView step, ProcessView session) {}

  @Override
  public Integer call() {
    if (within < 1 || within > LONGEST) {
      throw CommandFailure.usage("--within " + within + " is not within 1 to " + LONGEST);
    }
    try {
      JobId which = job != null ? job : onlyJob();
      Sights sights = look(which);
      CgroupLimits limits = CgroupLimits.of(KernelText.lines(Path.of("/proc/self/mounts")));
      return told(
          which, Comparison.of(limits.complete(sights.step()), limits.complete(sights.session())));
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
    }
  }

  private JobId onlyJob() throws IOException {
    var request = ListRequest.newBuilder().setNode(node()).build();
    List<Job> here =
        asking.jobs(service -> service.list(request)).getJobsList().stream()
            .filter(each -> each.getState() == JobState.JOB_STATE_OPEN)
            .toList();
    if (here.size() != 1) {
      throw new CommandFailure(
          here.isEmpty() ? ExitCode.NOT_FOUND : ExitCode.USAGE,
          here.size() + " jobs are open on " + node() + ": name one");
    }
    return new JobId(here.getFirst().getJobId());
  }

  private static String node() throws IOException {
    return InetAddress.getLocalHost().getHostName().replaceFirst("\\..*", "");
  }

  private Sights look(JobId which) throws IOException {
    if (System.getProperty("user.name", "").equals("root")) {
      String[] said = fromAStep(which).split("(?m)^" + BETWEEN + "\n", 2);
      if (said.length < 2) {
        throw new IOException("the step ended early: " + said[0].strip());
      }
      return new Sights(ProcessScript.read(said[0]), ProcessScript.read(said[1]));
    }
    ProcessView step =
        ProcessScript.read(
            run(
                "env",
                ProcessScript.PROBED + "=" + runningStep(which),
                "sh",
                "-c",
                ProcessScript.SCRIPT));
    List<String> words =
        new ArrayList<>(List.of("sh", "-c", "printf '%s\\n' \"$0\" | exec \"$@\""));
    words.add(ProcessScript.SCRIPT);
    words.addAll(ssh());
    return new Sights(step, ProcessScript.read(run(words.toArray(String[]::new))));
  }

  private String run(String... words) throws IOException {
    return TimeLimit.run(List.of(words), Duration.ofSeconds(within));
  }

  private String fromAStep(JobId which) throws IOException {
    var request = BeginStepRequest.newBuilder().setJobId(which.number()).build();
    BeginStepResponse begun = asking.jobs(service -> service.beginStep(request));
    var user = users().find(begun.getUid());
    // $0 is what goes to ssh, $1 what runs here: the same.
    List<String> words =
        new ArrayList<>(List.of("sh", "-c", BOTH, ProcessScript.SCRIPT, ProcessScript.SCRIPT));
    words.addAll(ssh());
    String script = new StepScript(begun, user).commands(words);
    return run("sh", "-c", script);
  }

  private List<String> ssh() throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                "ssh",
                "-o",
                "BatchMode=yes",
                "-o",
                "ConnectTimeout=" + within,
                // It is this node: no key of it needs to be known.
                "-o",
                "StrictHostKeyChecking=no",
                "-o",
                "UserKnownHostsFile=/dev/null",
                "-o",
                "LogLevel=ERROR"));
    if (port != null) {
      words.addAll(List.of("-p", port.toString()));
    }
    words.addAll(List.of(host != null ? host : InetAddress.getLocalHost().getHostName(), "sh"));
    return words;
  }

  private int runningStep(JobId which) throws IOException {
    var request = ListProcessesRequest.newBuilder().setJobId(which.number()).build();
    String here = node();
    List<NodeProcesses> nodes =
        asking.jobs(service -> service.listProcesses(request)).getNodesList();
    return nodes.stream()
        .filter(each -> each.getNode().equals(here))
        .flatMap(each -> each.getProcessesList().stream())
        .filter(process -> !process.getStep().equals(EXTERN))
        .map(process -> process.getProcess().getPid())
        .findFirst()
        .orElseThrow(() ->
            new CommandFailure(
                ExitCode.NOT_FOUND,
                "no step of job " + which + " runs on " + here + ", and only root can start one"));
  }

  private int told(JobId which, List<Difference> differences) {
    JsonFields json =
        new JsonFields()
            .with("job", which.number())
            .with("alike", differences.isEmpty())
            .with("differences", differences.stream().map(VerifyCommand::json).toList());
    if (differences.isEmpty()) {
      return printing.print("job " + which + ": session and step have the same view", json);
    }
    var table = new Table("PART", "NAME", "STEP", "SESSION");
    for (Difference each : differences) {
      table.row(each.part().word(), each.name(), shown(each.step()), shown(each.session()));
    }
    printing.print(table, json);
    return ExitCode.FAILED.status();
  }

  private static String shown(String value) {
    return value.isEmpty() ? "-" : value;
  }

  private static JsonFields json(Difference difference) {
    return new JsonFields()
        .with("part", difference.part().word())
        .with("name", difference.name())
        .with("step", difference.step())
        .with("session", difference.session());
  }
}
