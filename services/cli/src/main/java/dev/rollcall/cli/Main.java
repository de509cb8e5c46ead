package dev.rollcall.cli;

import dev.rollcall.cli.ask.CliContext;
import dev.rollcall.cli.ask.SystemUsers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Runs the command with the real environment, and sets the exit code. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    // The libraries below log what ends up in the command's own line as well.
    Logger.getLogger("").setLevel(Level.OFF);
    var outside = new CliContext(new SystemUsers(), plan());
    System.exit(CommandTree.of(outside, args).execute(args));
  }

  /** The launcher names the descriptor on which it waits. */
  private static Optional<CliContext.Plan> plan() {
    return Optional.ofNullable(System.getProperty("rollcall.plan"))
        .map(Path::of)
        .map(file -> commands -> Files.writeString(file, commands, StandardOpenOption.WRITE));
  }
}
