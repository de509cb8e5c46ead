package dev.rollcall.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * All that the commands reach outside of themselves.
 *
 * @param plan takes the shell commands that start a step; absent where the launcher is not there to
 *     run them
 * @param ownProcesses of this machine
 */
record CliContext(Exchange exchange, Users users, Optional<Plan> plan, ProcProcesses ownProcesses) {
  CliContext(Exchange exchange, Users users, Optional<Plan> plan) {
    this(exchange, users, plan, new ProcProcesses(Path.of("/proc")));
  }

  /** Where the launcher waits for the shell commands that it then becomes. */
  @FunctionalInterface
  interface Plan {
    void write(String commands) throws IOException;
  }
}
