package dev.rollcall.cli.man;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** The last sections of a page that is not about a command. */
public final class PageParts {
  private final SequencedMap<String, SequencedMap<String, String>> sections = new LinkedHashMap<>();
  private final SequencedMap<String, List<String>> examples = new LinkedHashMap<>();

  /** An item of a section such as {@code FILES}; sections are in the order of their first item. */
  public PageParts item(String section, String term, String text) {
    sections.computeIfAbsent(section, _ -> new LinkedHashMap<>()).put(term, text);
    return this;
  }

  /** Lines that a reader can copy, after a sentence about them. */
  public PageParts example(String text, List<String> lines) {
    examples.put(text, List.copyOf(lines));
    return this;
  }

  void write(Roff page) {
    sections.forEach((section, items) -> {
      page.section(section);
      items.forEach(page::markdown);
    });
    page.section("EXAMPLES");
    examples.forEach((text, lines) -> page.markdown(text).example(lines));
  }
}
