package dev.rollcall.deploy.share;

import dev.rollcall.cli.text.JarText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes the manual pages of files, programs and the PAM module from their Markdown in {@code
 * pages}. It knows headings, of which the first is {@code # NAME: what it does}, paragraphs, lists
 * of definitions, indented code, and two lines of its own: in place of {@code {{keys DOCUMENT
 * HEADING}}} stand the rows of the table under that heading, in place of {@code {{code DOCUMENT
 * HEADING}}} the block of code.
 */
public final class MarkdownPage {
  /** The pages, each with its section at the end. */
  public static final List<String> ALL =
      List.of(
          "rollcall-agent.yaml.5",
          "rollcall-gateway.yaml.5",
          "rollcall-audit_only.yaml.5",
          "pam_rollcall.8",
          "rollcall-agent.8",
          "rollcall-gateway.8",
          "rollcall-uninstall.8");

  private static final Pattern TITLE = Pattern.compile("# (\\S+): (.+)");
  private static final Pattern HEADING = Pattern.compile("## (.+)");
  private static final Pattern DEFINITION = Pattern.compile("(?s)([^\\n]+)\\n: (.+)");
  private static final Pattern PART = Pattern.compile("\\{\\{(keys|code) (\\S+) (.+)}}");
  private static final String CODE = "    ";

  private final Path documents;
  private final Roff page;

  private MarkdownPage(Path documents, Roff page) {
    this.documents = documents;
    this.page = page;
  }

  /**
   * The text of a page.
   *
   * @param file one of {@link #ALL}
   * @param documents the folder of the documents
   * @throws IllegalArgumentException if a document has no such part
   */
  public static String text(String file, Path documents, String version) throws IOException {
    List<String> blocks =
        List.of(JarText.of(MarkdownPage.class, "pages/" + file + ".md").strip().split("\n\n"));
    Matcher title = TITLE.matcher(blocks.getFirst());
    if (!title.matches()) {
      throw new IllegalArgumentException(file + ".md does not begin with # NAME: what it does");
    }
    int section = Character.digit(file.charAt(file.length() - 1), 10);
    var page = new Roff(title.group(1), section, version).name(title.group(1), title.group(2));
    var writing = new MarkdownPage(documents, page);
    for (String block : blocks.subList(1, blocks.size())) {
      writing.block(block);
    }
    return page.toString();
  }

  private void block(String block) throws IOException {
    Matcher heading = HEADING.matcher(block);
    Matcher definition = DEFINITION.matcher(block);
    Matcher part = PART.matcher(block);
    if (heading.matches()) {
      page.section(heading.group(1));
    } else if (definition.matches()) {
      page.markdown(definition.group(1), definition.group(2));
    } else if (part.matches()) {
      part(part.group(1), Document.read(documents.resolve(part.group(2))), part.group(3));
    } else if (block.startsWith(CODE)) {
      page.example(block.lines().map(line -> line.substring(CODE.length())).toList());
    } else {
      page.markdown(block);
    }
  }

  private void part(String kind, Document document, String heading) {
    if (kind.equals("code")) {
      page.example(document.code(heading));
      return;
    }
    for (List<String> row : document.rows(heading)) {
      // Key, what it takes, default, perhaps others' default, meaning.
      page.markdown(
          row.getFirst(), "%s (%s; default: %s)".formatted(row.getLast(), row.get(1), row.get(2)));
    }
  }
}
