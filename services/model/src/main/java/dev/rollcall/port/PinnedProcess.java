package dev.rollcall.port;

import dev.rollcall.model.ProcessRef;

/**
 * A process that was pinned when it was known to be the right one (a pidfd): its pid means this
 * process or nobody.
 */
public interface PinnedProcess extends AutoCloseable {
  ProcessRef ref();

  /** False once the process has ended, even if its pid is in use again. */
  boolean alive();

  @Override
  void close();
}
