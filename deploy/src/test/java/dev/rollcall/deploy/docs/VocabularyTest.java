package dev.rollcall.deploy.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that pages and messages use standard terms, in short sentences. */
class VocabularyTest {
  private static final Path HOUSE = Path.of("..");

  private static final List<String> TOPS =
      List.of(
          "README.md",
          "CONTRIBUTING.md",
          "CHANGELOG.md",
          "SECURITY.md",
          "docs",
          "deploy",
          "gateway",
          "proto",
          "services");

  private static final Pattern LEAVE =
      Pattern.compile(
          "\\b(attend(s|ing|ed|ance)?|in clear|is not to be had|whoever|mishaps?|escapees?"
              + "|befalls?|befell|knocks?|practised?|rehears\\w+|kept ready|nobody's|the door"
              + "|the board|told|tells|telling|sitting|beats?|deeds?|in doubt|somebody)\\b",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern HEADING =
      Pattern.compile("#+ (What|Who|Whoever|Of|For whom) [a-z][^?]*");

  private static final Pattern STRING = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

  private static final Pattern LINK_TARGET = Pattern.compile("\\]\\([^)]*\\)");
  private static final Pattern CODE = Pattern.compile("```.*?```", Pattern.DOTALL);
  private static final Pattern NAME = Pattern.compile("`[^`]*`,?");
  private static final Pattern LIST_ITEM = Pattern.compile("\n(?=\\s*(?:[*-]|\\d+\\.) )");
  private static final Pattern SENTENCE_END =
      Pattern.compile("(?<=[.:;?!]|[.:;?!][*)]{1,2})\\s+(?=[A-Z0-9`*(\\[])");
  private static final int MOST_WORDS_OF_A_CELL = 40;
  private static final int MOST_WORDS_OF_A_SENTENCE = 35;

  @Test
  void pagesUseStandardTerms() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path page : pages()) {
      found.addAll(leftIn(page, line -> Stream.of(LINK_TARGET.matcher(line).replaceAll("]"))));
    }
    assertEquals(List.of(), found);
  }

  @Test
  void messagesUseStandardTerms() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path source : sources()) {
      found.addAll(leftIn(source, VocabularyTest::messages));
    }
    assertEquals(List.of(), found);
  }

  @Test
  void helpsAlertsAndTheApiUseStandardTerms() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file :
        files(
            "(deploy/(prometheus|grafana|helm|slurm|systemd)/.*)|proto/src/main/proto/.*"
                + "|[^/]*/?[^/]+/src/main/resources/.*\\.properties")) {
      found.addAll(leftIn(file, Stream::of));
    }
    assertEquals(List.of(), found);
  }

  @Test
  void headingsNameTheirSubject() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path page : pages()) {
      Files.readAllLines(page).stream()
          .filter(line -> HEADING.matcher(line).matches())
          .forEach(line -> found.add(page + ": " + line));
    }
    assertEquals(List.of(), found);
  }

  @Test
  void cellsAndSentencesAreShort() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path page : pages()) {
      for (String line : Files.readAllLines(page)) {
        if (line.startsWith("|")) {
          Arrays.stream(line.split("\\|", -1))
              .filter(cell -> words(cell) > MOST_WORDS_OF_A_CELL)
              .forEach(cell -> found.add(page + ": " + cell));
        }
      }
      sentences(Files.readString(page))
          .filter(sentence -> words(sentence) > MOST_WORDS_OF_A_SENTENCE)
          .forEach(sentence -> found.add(page + ": " + sentence));
    }
    assertEquals(List.of(), found);
  }

  private static Stream<String> sentences(String page) {
    return Arrays.stream(CODE.matcher(page).replaceAll("").split("\n\\s*\n"))
        .filter(block -> !block.strip().startsWith("|") && !block.startsWith("#"))
        .flatMap(LIST_ITEM::splitAsStream)
        .flatMap(item -> SENTENCE_END.splitAsStream(item.strip().replaceAll("\\s+", " ")));
  }

  /** Names in code type, as in a list of variables, are not counted. */
  private static int words(String text) {
    String counted = NAME.matcher(text).replaceAll("").strip();
    return counted.isEmpty() ? 0 : counted.split("\\s+", -1).length;
  }

  private interface Texts {
    Stream<String> of(String line);
  }

  private static List<String> leftIn(Path file, Texts texts) throws IOException {
    List<String> found = new ArrayList<>();
    int number = 0;
    for (String line : Files.readString(file, StandardCharsets.UTF_8).split("\n", -1)) {
      number++;
      String where = file + ":" + number + ": ";
      texts
          .of(line)
          .flatMap(text -> LEAVE.matcher(text).results())
          .forEach(word -> found.add(where + word.group()));
    }
    return found;
  }

  /** The strings of Java or C that have a blank: words for people. */
  private static Stream<String> messages(String line) {
    String code = line.strip();
    return code.startsWith("*") || code.startsWith("//") || code.startsWith("/*")
        ? Stream.empty()
        : STRING
            .matcher(code)
            .results()
            .map(found -> found.group(1))
            .filter(text -> text.contains(" "));
  }

  private static List<Path> sources() throws IOException {
    return files(
        "(gateway|services/(?!testkit|lab|fuzz)[a-z]+)/src/main/java/.*\\.java"
            + "|services/(pam|brief|container)/src/.*\\.[ch]");
  }

  private static List<Path> pages() throws IOException {
    return files("[A-Z]+\\.md|docs/[^/]+\\.md|deploy/helm/.*\\.md");
  }

  /** Of the tree, by their paths from its top. */
  private static List<Path> files(String pattern) throws IOException {
    Pattern wanted = Pattern.compile(pattern);
    List<Path> found = new ArrayList<>();
    for (String top : TOPS) {
      found.addAll(below(HOUSE.resolve(top), wanted));
    }
    if (found.isEmpty()) {
      throw new AssertionError("no file is " + pattern);
    }
    return found;
  }

  private static List<Path> below(Path top, Pattern wanted) throws IOException {
    try (Stream<Path> files = Files.walk(top)) {
      return files
          .filter(file -> wanted.matcher(HOUSE.relativize(file).toString()).matches())
          .filter(Files::isRegularFile)
          .sorted()
          .toList();
    }
  }
}
