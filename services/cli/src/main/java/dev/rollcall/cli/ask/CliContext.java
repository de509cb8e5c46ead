package dev.rollcall.cli.ask;

import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * All that the commands reach outside of themselves.
 *
 * @param plan takes the shell commands that start a step; absent where the launcher is not there to
 *     run them
 * @param ownProcesses of this machine
 * @param environment of the command's process
 */
public record CliContext(
    Users users, Optional<Plan> plan, ProcProcesses ownProcesses, Map<String, String> environment) {
  /** Knows no user, and has no launcher. */
  public static final CliContext NONE =
      new CliContext(
          new Users() {
            @Override
            public Optional<User> named(String name) {
              return Optional.empty();
            }

            @Override
            public Optional<User> find(int uid) {
              return Optional.empty();
            }
          },
          Optional.empty());

  public CliContext {
    environment = Map.copyOf(environment);
  }

  public CliContext(Users users, Optional<Plan> plan) {
    this(users, plan, new ProcProcesses(Path.of("/proc")), System.getenv());
  }

  /** A file of the distribution that this program is in, such as {@code bin/rollcall}. */
  public static Path shipped(String file) {
    return Path.of(System.getProperty("rollcall.distribution", "/opt/rollcall"), file);
  }

  /**
   * The launcher's plan.
   *
   * @param command that needs it, for the error if this program was started without the launcher
   */
  public Plan planOf(String command) {
    return plan.orElseThrow(
        () -> CommandFailure.usage(command + " needs the launcher, bin/rollcall"));
  }

  /** Where the launcher, the shell script bin/rollcall, waits for what it then becomes. */
  @FunctionalInterface
  public interface Plan {
    /** Takes shell commands. */
    void write(String commands) throws IOException;

    /**
     * The same.
     *
     * @param what they are, for an error
     */
    default void pass(String what, String commands) {
      try {
        write(commands);
      } catch (IOException e) {
        throw new CommandFailure(
            ExitCode.FAILED, "cannot pass " + what + " to the launcher: " + e.getMessage(), e);
      }
    }
  }
}
