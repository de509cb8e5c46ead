package dev.rollcall.agent;

import dev.rollcall.agent.login.file.NodeFacts;
import java.nio.charset.StandardCharsets;

/**
 * A site's line for users who are refused, as a URL. It goes to terminals, so it has no controls.
 */
record DeniedHelp(String text) {
  /**
   * @throws IllegalArgumentException if it is empty, too long, or not one line of visible text
   */
  DeniedHelp {
    text = text.strip();
    if (text.isEmpty()) {
      throw new IllegalArgumentException("it is empty");
    }
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > NodeFacts.DENIED_HELP) {
      throw new IllegalArgumentException(
          "it has " + bytes + " bytes, and at most " + NodeFacts.DENIED_HELP + " are shown");
    }
    if (!text.codePoints().allMatch(DeniedHelp::isVisible)) {
      throw new IllegalArgumentException("it has control characters");
    }
  }

  private static boolean isVisible(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}
