package dev.rollcall.wire.lines;

import java.io.IOException;

/** Lines that wait for their file, in order. Not thread-safe. */
interface Waiting {
  /**
   * All of it or nothing.
   *
   * @param line with its newline
   * @throws IOException if no more is taken
   */
  void add(byte[] line) throws IOException;

  /** All that wait. */
  byte[] all() throws IOException;

  /**
   * They are in the file.
   *
   * @param bytes from the oldest line on, whole lines
   */
  void written(int bytes) throws IOException;
}
