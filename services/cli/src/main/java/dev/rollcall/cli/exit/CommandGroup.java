package dev.rollcall.cli.exit;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A word that needs another one after it. Methods of a subclass may be commands. */
@Command
public class CommandGroup implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  public CommandLine called(String name, String description) {
    var line = new CommandLine(this).setCommandName(name);
    line.getCommandSpec().usageMessage().description(description);
    return line;
  }

  /** Puts the commands of a group in order; picocli sorts methods by their names. */
  public static CommandLine inOrder(CommandLine group, String... words) {
    for (String word : words) {
      group.addSubcommand(word, group.getCommandSpec().removeSubcommand(word));
    }
    return group;
  }

  @Override
  public Integer call() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "one of these words is missing: " + String.join(", ", spec.subcommands().keySet()));
  }
}
