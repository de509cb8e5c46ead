package dev.rollcall.wire.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Detects whether standard error is systemd's journal: systemd.exec(5), {@code $JOURNAL_STREAM}.
 */
final class SystemdJournal {
  private static final String STREAM = "JOURNAL_STREAM";

  private SystemdJournal() {}

  static boolean isStandardError() {
    return is(System.getenv(), Path.of("/proc/self/fd/2"));
  }

  /**
   * A child whose output was put elsewhere has inherited the variable, so that device and inode are
   * compared.
   */
  static boolean is(Map<String, String> environment, Path stream) {
    @Nullable String told = environment.get(STREAM);
    if (told == null) {
      return false;
    }
    try {
      return told.equals(
          Files.getAttribute(stream, "unix:dev") + ":" + Files.getAttribute(stream, "unix:ino"));
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }
}
