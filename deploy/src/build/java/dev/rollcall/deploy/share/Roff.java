package dev.rollcall.deploy.share;

import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Text of a manual page, in the macros of man(7). */
final class Roff {
  private static final Pattern CODE = Pattern.compile("`([^`]*)`");
  private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)\\]\\(([^)#]*)[^)]*\\)");

  private final StringBuilder page = new StringBuilder();
  private boolean inSection;

  /** Without a date: pages are the same from build to build. */
  Roff(String name, int section, String version) {
    page.append(
        ".TH \"%s\" %d \"\" \"Rollcall %s\" \"Rollcall\"\n"
            .formatted(name.toUpperCase(Locale.ROOT), section, version));
    // Left-aligned, and words stay whole: names of keys and options are searched for.
    page.append(".nh\n.ad l\n");
  }

  Roff section(String title) {
    page.append(".SH \"").append(title).append("\"\n");
    inSection = true;
    return this;
  }

  /** A section's first paragraph needs no macro, and mandoc warns of one. */
  private void start() {
    page.append(inSection ? "" : ".PP\n");
    inSection = false;
  }

  Roff paragraph(String text) {
    start();
    page.append(line(escaped(text)));
    return this;
  }

  /** The one line that apropos(1) reads. */
  Roff name(String name, String does) {
    section("NAME");
    page.append(line(escaped(name) + " \\- " + escaped(does)));
    return this;
  }

  Roff synopsis(String text) {
    section("SYNOPSIS");
    page.append(line(escaped(text)));
    return this;
  }

  Roff item(String term, String text) {
    inSection = false;
    page.append(".TP\n").append(line("\\fB" + escaped(term) + "\\fR")).append(line(escaped(text)));
    return this;
  }

  /** The same, with the marks of Markdown within a line. */
  Roff markdown(String term, String text) {
    inSection = false;
    page.append(".TP\n").append(line("\\fB" + escaped(plain(term)) + "\\fR"));
    page.append(line(marked(text)));
    return this;
  }

  Roff markdown(String text) {
    start();
    page.append(line(marked(text)));
    return this;
  }

  /** Lines as they are, indented. */
  Roff example(List<String> lines) {
    start();
    page.append(".RS 4\n.nf\n");
    lines.forEach(each -> page.append(raw(escaped(each))));
    page.append(".fi\n.RE\n");
    return this;
  }

  private static String plain(String text) {
    return LINK.matcher(text).replaceAll(Roff::linked).replace("`", "").replace("\\|", "|");
  }

  private static String marked(String text) {
    String linked =
        LINK.matcher(text.replace("\\|", "|").replace("**", "")).replaceAll(Roff::linked);
    return CODE.matcher(escaped(linked)).replaceAll("\\\\fB$1\\\\fR");
  }

  /** A reader of a page cannot follow a link, but can open the file. */
  private static String linked(MatchResult link) {
    String text = link.group(1);
    String file = link.group(2);
    if (!file.matches("[a-z_-]+\\.md")) {
      return Matcher.quoteReplacement(text);
    }
    boolean named = file.equals(text) || file.equals(text + ".md");
    return Matcher.quoteReplacement(named ? file : text + " (" + file + ")");
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\e").replace("-", "\\-").replace("’", "'");
  }

  /** A line that begins with a dot or a quote would be a request. */
  private static String line(String text) {
    String one = text.strip().replaceAll("\\s*\\n\\s*", " ");
    return (one.startsWith(".") || one.startsWith("'") ? "\\&" : "") + one + "\n";
  }

  /** A line that keeps its blanks. */
  private static String raw(String text) {
    return (text.startsWith(".") || text.startsWith("'") ? "\\&" : "") + text + "\n";
  }

  @Override
  public String toString() {
    return page.toString();
  }
}
