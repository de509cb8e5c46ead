package dev.rollcall.load.container;

import java.io.IOException;

/** One way to give jobs a private /tmp and a private /dev/shm, in a namespace that a file keeps. */
interface Containers extends AutoCloseable {
  /** Makes a job's container, whole. */
  void make(int job) throws IOException;

  /**
   * Whether the job's container is kept.
   *
   * @throws IOException if that cannot be told
   */
  boolean has(int job) throws IOException;

  /** Ends a job's container. */
  void remove(int job) throws IOException;

  /** Removes what is left. */
  @Override
  void close() throws IOException;
}
