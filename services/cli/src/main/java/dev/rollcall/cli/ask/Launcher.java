package dev.rollcall.cli.ask;

import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import java.io.IOException;

/** The shell script bin/rollcall, which becomes another program after this one has ended. */
public final class Launcher {
  private final CliContext.Plan plan;

  private Launcher(CliContext.Plan plan) {
    this.plan = plan;
  }

  /**
   * @param command that needs it, for the error if this program was started without it
   */
  public static Launcher of(CliContext outside, String command) {
    return new Launcher(
        outside
            .plan()
            .orElseThrow(() ->
                new CommandFailure(ExitCode.USAGE, command + " needs the launcher, bin/rollcall")));
  }

  /**
   * Passes on the shell commands that it runs.
   *
   * @param what they are, for an error
   */
  public void run(String what, String commands) {
    try {
      plan.write(commands);
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCode.FAILED, "cannot pass " + what + " to the launcher: " + e.getMessage(), e);
    }
  }
}
