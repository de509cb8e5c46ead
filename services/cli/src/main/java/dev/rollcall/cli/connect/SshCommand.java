package dev.rollcall.cli.connect;

import dev.rollcall.cli.ask.CliContext;
import dev.rollcall.cli.ask.Target;
import dev.rollcall.cli.ask.TargetOptions;
import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.job.StepScript;
import dev.rollcall.model.JobId;
import dev.rollcall.model.NodeName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Finds a node of a job and becomes an ssh to it, whose session enters the job. */
@Command(
    name = "ssh",
    description =
        "Connect by ssh to a node of a job, into that job. Arguments after -- are for ssh: options,"
            + " then a command.")
public final class SshCommand implements Callable<Integer> {
  private static final String REST = "--";

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final TargetOptions asking = new TargetOptions();

  @Parameters(
      index = "0",
      paramLabel = "JOB",
      description = "The job's number or id, latest, or name-NAME.")
  private JobId job = new JobId(1);

  @Parameters(
      index = "1..*",
      paramLabel = "NODE",
      description =
          "The node (default: the first by name on which the job is open). After --: arguments for"
              + " ssh.")
  private List<String> words = List.of();

  private final CliContext outside;
  private final Path launcher = CliContext.shipped("bin/rollcall");

  public SshCommand(CliContext outside) {
    this.outside = outside;
  }

  @Override
  public Integer call() {
    CliContext.Plan plan = outside.planOf("ssh");
    List<String> given = spec.commandLine().getParseResult().originalArgs();
    int end = given.indexOf(REST);
    int forSsh = end < 0 ? 0 : given.size() - end - 1;
    List<String> before = words.subList(0, words.size() - forSsh);
    if (before.size() > 1) {
      throw CommandFailure.usage(
          "'" + before.get(1) + "' is one argument too many: arguments for ssh follow --");
    }
    NodeName node =
        new JobNodes(asking).find(job, before.stream().findFirst().map(SshCommand::name));
    // A connection that is shared by its host name may be in another job.
    List<String> command = new ArrayList<>(List.of("ssh", "-o", "ControlPath=none"));
    command.addAll(List.of("-o", "ProxyCommand=" + proxy(), node.text()));
    command.addAll(words.subList(before.size(), words.size()));
    plan.pass("ssh", StepScript.exec(command));
    return ExitCode.OK.status();
  }

  private static NodeName name(String text) {
    try {
      return new NodeName(text);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(e);
    }
  }

  /** ssh gives it to the user's shell, after its own percent signs. */
  private String proxy() {
    String socket =
        asking.target() instanceof Target.Agent(Path path)
            ? " --socket " + StepScript.quote(path.toString().replace("%", "%%"))
            : "";
    return "%s connect --job %s%s %%h %%p"
        .formatted(StepScript.quote(launcher.toString().replace("%", "%%")), job, socket);
  }
}
