package dev.rollcall.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** Finds the uid of a user's name by getent(1), in files and directory services. */
final class UidOfName {
  private static final int LONGEST_LINE = 4_096;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private UidOfName() {}

  /** Empty if there is no such user, or no answer within 5 s. Blocks as long. */
  static OptionalInt of(String name) {
    try {
      Process process =
          new ProcessBuilder("getent", "passwd", "--", name)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try {
        return process.waitFor(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)
            ? uidIn(process.getInputStream().readNBytes(LONGEST_LINE), name)
            : OptionalInt.empty();
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException unavailable) {
      return OptionalInt.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return OptionalInt.empty();
    }
  }

  /** getent(1) takes digits for a uid, so the line's name has to be the wanted one. */
  private static OptionalInt uidIn(byte[] line, String name) {
    String[] fields = new String(line, StandardCharsets.UTF_8).strip().split(":", -1);
    boolean fits = fields.length == 7 && fields[0].equals(name) && fields[2].matches("[0-9]{1,10}");
    return fits ? OptionalInt.of((int) Long.parseLong(fields[2])) : OptionalInt.empty();
  }
}
