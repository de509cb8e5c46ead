package dev.rollcall.wire.log;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes text from elsewhere safe for a log that a terminal shows and programs read by lines: what
 * would begin a line, move the cursor or turn the direction of writing is written as an escape, and
 * long text is cut.
 */
final class LogText {
  /** Characters of one line. */
  static final int LONGEST = 8_192;

  /** Frames of one exception; those of a stack overflow are 1,024. */
  private static final int MOST_FRAMES = 64;

  /** Exceptions that one line tells: causes, and what was suppressed. */
  private static final int MOST_THROWN = 16;

  private LogText() {}

  /** The text on one line of at most {@link #LONGEST} characters before what it says of the cut. */
  static String line(String text) {
    var line = new StringBuilder(Math.min(text.length(), LONGEST) + 16);
    append(line, text);
    return line.toString();
  }

  private static void append(StringBuilder line, String text) {
    int most = line.length() + LONGEST;
    int at = 0;
    while (at < text.length() && line.length() < most) {
      int character = text.codePointAt(at);
      at += Character.charCount(character);
      if (character == '\n') {
        line.append("\\n");
      } else if (isObeyed(character)) {
        line.append("\\u%04x".formatted(character));
      } else {
        line.appendCodePoint(character);
      }
    }
    if (at < text.length()) {
      line.append("… (").append(text.length() - at).append(" more characters)");
    }
  }

  /**
   * Control characters (C0, DEL, C1), separators of lines, invisible ones that format, such as
   * those that turn the direction (Unicode category Cf), and halves of pairs. A tab stays.
   */
  private static boolean isObeyed(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL -> character != '\t';
      case Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.FORMAT,
          Character.SURROGATE ->
          true;
      default -> false;
    };
  }

  /** What was thrown, as the JDK prints it, on lines of its own; each message stays on its line. */
  static String thrown(@Nullable Throwable thrown) {
    if (thrown == null) {
      return "";
    }
    var lines = new StringBuilder();
    tell(lines, "", "", thrown, Collections.newSetFromMap(new IdentityHashMap<>()));
    return lines.toString();
  }

  private static void tell(
      StringBuilder lines, String indent, String kind, Throwable thrown, Set<Throwable> told) {
    if (told.size() == MOST_THROWN || !told.add(thrown)) {
      return;
    }
    lines.append('\n').append(indent).append(kind);
    append(lines, thrown.toString());
    StackTraceElement[] frames = thrown.getStackTrace();
    for (int i = 0; i < Math.min(frames.length, MOST_FRAMES); i++) {
      lines.append('\n').append(indent).append("\tat ").append(frames[i]);
    }
    if (frames.length > MOST_FRAMES) {
      lines.append('\n').append(indent).append("\t... ");
      lines.append(frames.length - MOST_FRAMES).append(" more");
    }
    for (Throwable suppressed : thrown.getSuppressed()) {
      tell(lines, indent + "\t", "Suppressed: ", suppressed, told);
    }
    Throwable cause = thrown.getCause();
    if (cause != null) {
      tell(lines, indent, "Caused by: ", cause, told);
    }
  }
}
