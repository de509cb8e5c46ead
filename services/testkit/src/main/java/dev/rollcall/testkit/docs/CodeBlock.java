package dev.rollcall.testkit.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * One block of code of a page.
 *
 * @param language after the three backquotes; empty for commands, answers and drawings
 * @param text without the indent of its list, with the last newline
 */
public record CodeBlock(String language, String text) {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^( *)```([a-z]*)\\n(.*?)^ *```$");

  /** All blocks of a page, in their order. */
  public static List<CodeBlock> in(Path page) throws IOException {
    var blocks = new ArrayList<CodeBlock>();
    BLOCK
        .matcher(Files.readString(page))
        .results()
        .forEach(found ->
            blocks.add(
                new CodeBlock(
                    found.group(2), found.group(3).replaceAll("(?m)^" + found.group(1), ""))));
    return blocks;
  }

  /** The block that begins so; each page has at most one. */
  public static CodeBlock beginning(Path page, String start) throws IOException {
    List<CodeBlock> found =
        in(page).stream().filter(block -> block.text().startsWith(start)).toList();
    if (found.size() != 1) {
      throw new AssertionError(
          "%s has %d blocks that begin with '%s'".formatted(page, found.size(), start));
    }
    return found.getFirst();
  }

  /** Whether a reader may type it: neither a file, nor a program in another language. */
  public boolean isShell() {
    return language.isEmpty() || language.equals("sh");
  }

  public String firstLine() {
    return text.lines().findFirst().orElse("");
  }
}
