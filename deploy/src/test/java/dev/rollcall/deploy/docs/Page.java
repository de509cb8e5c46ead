package dev.rollcall.deploy.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A page of docs/.
 *
 * @param lines of one section of it, or of all
 */
public record Page(List<String> lines) {
  private static final Path FOLDER = Path.of(System.getProperty("rollcall.home", ".."), "docs");
  private static final Pattern FIRST_CELL = Pattern.compile("^\\| `([^`]+)` \\|");
  private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

  public static Page read(String name) throws IOException {
    return new Page(Files.readAllLines(FOLDER.resolve(name)));
  }

  /** What stands under a heading, to the next of its rank. */
  public Page section(String heading) {
    int start = lines.indexOf(heading);
    if (start < 0) {
      throw new AssertionError("no '" + heading + "'");
    }
    String rank = heading.replaceFirst(" .*", " ");
    List<String> rest = lines.subList(start + 1, lines.size());
    return new Page(rest.stream().takeWhile(line -> !line.startsWith(rank)).toList());
  }

  /** The words in code type that begin the rows of its tables. */
  public Set<String> rows() {
    return lines.stream()
        .flatMap(line -> FIRST_CELL.matcher(line).results())
        .map(result -> result.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  List<String> yaml() {
    return YAML.matcher(text()).results().map((MatchResult result) -> result.group(1)).toList();
  }

  String text() {
    return String.join("\n", lines) + "\n";
  }
}
