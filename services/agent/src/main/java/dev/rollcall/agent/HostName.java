package dev.rollcall.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The machine's name, as the kernel has it: a name service need not know it. */
final class HostName {
  private static final Path OWN = Path.of("/proc/sys/kernel/hostname");

  private HostName() {}

  /** Up to the first dot, as hostname(1) -s has it. */
  static String ownShort() throws IOException {
    return Files.readString(OWN).strip().replaceFirst("\\..*", "");
  }
}
