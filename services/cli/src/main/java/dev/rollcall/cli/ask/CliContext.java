package dev.rollcall.cli.ask;

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
    Users users,
    Optional<Plan> plan,
    ProcProcesses ownProcesses,
    Map<String, String> environment) {
  public CliContext {
    environment = Map.copyOf(environment);
  }

  public CliContext(Users users, Optional<Plan> plan) {
    this(users, plan, new ProcProcesses(Path.of("/proc")));
  }

  public CliContext(Users users, Optional<Plan> plan, ProcProcesses ownProcesses) {
    this(users, plan, ownProcesses, System.getenv());
  }

  public CliContext withEnvironment(Map<String, String> other) {
    return new CliContext(users, plan, ownProcesses, other);
  }

  /** Where the launcher waits for the shell commands that it then becomes. */
  @FunctionalInterface
  public interface Plan {
    void write(String commands) throws IOException;
  }
}
