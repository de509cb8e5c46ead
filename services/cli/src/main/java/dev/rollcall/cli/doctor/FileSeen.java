package dev.rollcall.cli.doctor;

import java.nio.file.Path;
import java.time.Instant;

/** A file and its attributes, or the error of reading them. */
public sealed interface FileSeen {
  /**
   * It is there.
   *
   * @param mode the twelve bits of chmod(2)
   */
  record There(Path path, int uid, int mode) implements FileSeen {}

  record Missing(Path path) implements FileSeen {}

  /** A certificate that could be read. */
  record Certificate(Path path, Instant notAfter) implements FileSeen {}

  /** One that could not. */
  record Unreadable(Path path, String why) implements FileSeen {}
}
