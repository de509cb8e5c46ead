package dev.rollcall.cli;

import dev.rollcall.cli.ask.CliContext;
import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.text.JarText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The root of the command tree. Alone it prints its help. */
@Command(
    name = "rollcall",
    description = {
      "Puts ssh sessions into the batch job that they belong to, and finds the job that opened a"
          + " network connection."
    },
    mixinStandardHelpOptions = true,
    versionProvider = RollcallCommand.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "The launcher has more commands: agent and gateway start the programs, uninstall removes what"
          + " they made; in the source tree demo, soak, package and test.",
      "Exit codes: 0 done, 1 failed, 2 usage, 3 denied, 4 not found, 5 no answer in time."
    })
final class RollcallCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE.status();
  }

  /** The program's version, as {@code 0.1.0}. */
  static String version() {
    return new Version().getVersion()[0].replaceFirst("^rollcall ", "");
  }

  /** Reads the version that the build wrote. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"rollcall " + JarText.of(RollcallCommand.class, "version.txt").strip()};
    }
  }

  @Command(
      name = "completion",
      description = "Print the completion for a shell: source <(rollcall completion bash)")
  static final class Completion implements Callable<Integer> {
    /** A shell. */
    enum Language {
      bash,
      zsh,
      fish
    }

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
        paramLabel = "SHELL",
        arity = "0..1",
        defaultValue = "bash",
        description = "bash, zsh or fish (default: ${DEFAULT-VALUE}).")
    private Language language = Language.bash;

    @Override
    public Integer call() {
      PrintWriter out = spec.commandLine().getOut();
      try {
        out.print(Files.readString(CliContext.shipped("lib/cli/completion." + language)));
      } catch (IOException e) {
        throw new CommandFailure(ExitCode.FAILED, "cannot read the completion: " + e, e);
      }
      out.flush();
      return ExitCode.OK.status();
    }
  }
}
