package dev.rollcall.port;

import dev.rollcall.model.ProcessRef;

/**
 * A process with a pidfd, opened when its identity was known: signals reach this process or none.
 */
public interface PinnedProcess extends AutoCloseable {
  ProcessRef ref();

  /** False once the process has ended, even if its pid is in use again. */
  boolean alive();

  @Override
  void close();
}
