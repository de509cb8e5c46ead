package dev.rollcall.deploy.share;

import dev.rollcall.cli.text.JarText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the examples of manual pages of section 1 from {@code examples.txt}. */
public final class Examples {
  private static final String COMMAND = "  ";
  private static final String TEXT = "    ";

  private final Map<String, List<Example>> pages = new HashMap<>();

  /**
   * One example.
   *
   * @param command as a user types it
   */
  public record Example(String command, String text) {}

  /** Those that are shipped. */
  public static Examples shipped() {
    return new Examples(JarText.of(Examples.class, "examples.txt"));
  }

  private Examples(String file) {
    List<Example> of = new ArrayList<>();
    String command = "";
    for (String line : file.lines().toList()) {
      if (line.startsWith(TEXT)) {
        of.add(new Example(command, line.strip()));
      } else if (line.startsWith(COMMAND)) {
        command = line.strip();
      } else {
        of = new ArrayList<>();
        pages.put(line, of);
      }
    }
  }

  /** The pages that have examples. */
  public Set<String> pages() {
    return Set.copyOf(pages.keySet());
  }

  /**
   * The examples of a page.
   *
   * @throws IllegalArgumentException if it has none
   */
  public List<Example> of(String page) {
    List<Example> examples = pages.getOrDefault(page, List.of());
    if (examples.isEmpty()) {
      throw new IllegalArgumentException("examples.txt has no example of " + page);
    }
    return List.copyOf(examples);
  }
}
