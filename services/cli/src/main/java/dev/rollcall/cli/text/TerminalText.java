package dev.rollcall.cli.text;

import java.util.regex.Pattern;

/**
 * Makes text that a process, a user or a node chose safe for a terminal: what moves the cursor,
 * begins a line or turns the direction of writing becomes '?', and long text is cut.
 */
public final class TerminalText {
  /** Characters. */
  private static final int LONGEST = 8_192;

  private static final int LONGEST_CELL = 1_024;

  /** Control characters (C0, DEL, C1), formats such as bidi, separators of lines, half pairs. */
  private static final Pattern OBEYED = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]");

  private TerminalText() {}

  public static String of(String text) {
    return cut(text, LONGEST);
  }

  /** As a cell of a table shows it. */
  static String cell(String text) {
    return cut(text, LONGEST_CELL);
  }

  private static String cut(String text, int most) {
    return text.length() <= most
        ? plain(text)
        : plain(text.substring(0, most)) + "… (" + (text.length() - most) + " more)";
  }

  private static String plain(String text) {
    return OBEYED.matcher(text).replaceAll("?");
  }
}
