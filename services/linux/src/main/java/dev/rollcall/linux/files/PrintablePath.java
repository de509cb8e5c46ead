package dev.rollcall.linux.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Deque;

/** Names that users chose, for logs and terminals. */
final class PrintablePath {
  private static final int LONGEST = 300;

  private PrintablePath() {}

  /**
   * The path of an entry.
   *
   * @param levels the directories that are open, the deepest first
   * @param name in the deepest; empty for that directory itself
   */
  static String of(Deque<Level> levels, byte[] name) {
    StringBuilder path = new StringBuilder();
    levels.descendingIterator().forEachRemaining(level -> append(path, level.name));
    append(path, name);
    int from = Math.max(0, path.length() - LONGEST);
    return path.isEmpty() ? "." : (from > 0 ? "..." : "") + path.substring(from);
  }

  private static void append(StringBuilder path, byte[] name) {
    if (name.length > 0) {
      path.append(path.isEmpty() ? "" : "/").append(printable(name));
    }
  }

  /** Without what is no text, moves the cursor, or turns the writing around. */
  private static String printable(byte[] name) {
    return new String(name, UTF_8).replaceAll("[\\p{C}\\p{Zl}\\p{Zp}\uFFFD]", "?");
  }
}
