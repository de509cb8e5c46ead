package dev.rollcall.wire.lines;

import java.io.IOException;

/** Lines that wait for their file, in order. Not thread-safe. */
interface Waiting {
  /** Bytes of a batch. */
  int BATCH = 512 << 10;

  /**
   * All of it or nothing.
   *
   * @param line with its newline
   * @throws IOException if no more is taken
   */
  void add(byte[] line) throws IOException;

  /**
   * The oldest lines that wait: as many as fit {@value #BATCH} bytes. A longer line comes alone, or
   * in parts. To be called if there are any.
   */
  byte[] batch() throws IOException;

  /**
   * They are in the file.
   *
   * @param bytes of the batch
   */
  void written(int bytes) throws IOException;
}
