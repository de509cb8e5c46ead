package dev.rollcall.cli.session;

import dev.rollcall.cli.ask.CliContext;
import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.job.StepScript;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Becomes rollcall-enter, which enters the container of a task of this session's job. */
@Command(
    name = "enter",
    description =
        "Open a shell in the container that a task of this session's job runs in, as enroot, podman"
            + " and apptainer make it. A command after -- is run in place of the shell.")
public final class EnterCommand implements Callable<Integer> {
  private static final String REST = "--";
  private static final String ANY = "any";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "PID",
      description =
          "A process in the container; needed if the job has several on this node. After --: the"
              + " command.")
  private List<String> words = List.of();

  private final CliContext outside;
  private final Path program = CliContext.shipped("lib/container/rollcall-enter");

  public EnterCommand(CliContext outside) {
    this.outside = outside;
  }

  @Override
  public Integer call() {
    CliContext.Plan plan = outside.planOf("enter");
    List<String> given = spec.commandLine().getParseResult().originalArgs();
    int end = given.indexOf(REST);
    List<String> rest = end < 0 ? List.of() : given.subList(end, given.size());
    List<String> before = words.subList(0, words.size() - Math.max(0, rest.size() - 1));
    if (before.size() > 1) {
      throw CommandFailure.usage(
          "'" + before.get(1) + "' is one argument too many: a command follows --");
    }
    List<String> command = new ArrayList<>(List.of(program.toString(), "--task"));
    command.add(before.stream().findFirst().map(EnterCommand::process).orElse(ANY));
    command.addAll(rest);
    plan.pass("rollcall-enter", StepScript.exec(command));
    return ExitCode.OK.status();
  }

  private static String process(String text) {
    if (!text.matches("[1-9][0-9]{0,8}")) {
      throw CommandFailure.usage(
          "'" + text + "' is not the number of a process; a command follows --");
    }
    return text;
  }
}
