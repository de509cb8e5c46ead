package dev.rollcall.lab;

import dev.rollcall.lab.demo.DemoCommand;
import dev.rollcall.lab.soak.SoakCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * Starts {@code demo} or {@code soak}. The script {@code rollcall} at the source tree's root calls
 * it, and names the distribution that is tried by the property {@code rollcall.distribution}.
 */
@Command(
    name = "rollcall",
    description = "What a source tree can show of Rollcall on one machine. As root.",
    mixinStandardHelpOptions = true)
public final class Main {
  private Main() {}

  public static void main(String[] words) {
    System.exit(commands().execute(words));
  }

  static CommandLine commands() {
    CommandLine commands =
        new CommandLine(new Main())
            .addSubcommand("demo", new DemoCommand())
            .addSubcommand("soak", new SoakCommand());
    commands.getSubcommands().values().forEach(Main::withHelp);
    return commands.setAbbreviatedOptionsAllowed(false).setParameterExceptionHandler(Main::misused);
  }

  private static void withHelp(CommandLine command) {
    command.getCommandSpec().mixinStandardHelpOptions(true);
  }

  private static int misused(CommandLine.ParameterException e, String[] words) {
    CommandLine command = e.getCommandLine();
    command
        .getErr()
        .printf(
            "rollcall: %s (see %s --help)%n",
            e.getMessage(), command.getCommandSpec().qualifiedName());
    return CommandLine.ExitCode.USAGE;
  }
}
