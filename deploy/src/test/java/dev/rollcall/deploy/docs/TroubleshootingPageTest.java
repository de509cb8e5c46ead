package dev.rollcall.deploy.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What docs/troubleshooting.md quotes is what programs say. */
class TroubleshootingPageTest {
  private static final Path HOME = Path.of(System.getProperty("rollcall.home", ".."));
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (.*?) \\| ");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern METRIC = Pattern.compile("`(rollcall_[a-z_]+)");
  private static final Pattern ALERT = Pattern.compile("Rollcall[A-Z][A-Za-z]+");
  private static final Pattern COMMAND = Pattern.compile("`rollcall ([a-z]+)( [a-z]+)?");

  /** Words of other programs, keys, variables and commands are no messages of ours. */
  private static final Pattern QUOTES_US =
      Pattern.compile("(?!rollcall |systemctl |Rollcall[A-Z])[^ ]+ .*[a-z]{3,}.*");

  /** Where a message has something else each time. */
  private static final Pattern VARIES =
      Pattern.compile("\\.\\.\\.|\\b[NU]\\b|FILE|/run/rollcall/\\w+\\.sock");

  private static String page() throws IOException {
    return Page.read("troubleshooting.md").text();
  }

  @Test
  void everyMessageIsSaidBySomeProgram() throws IOException {
    String said = said();
    List<String> messages = messages();

    assertTrue(messages.size() > 30, messages::toString);
    assertEquals(
        List.of(),
        messages.stream()
            .flatMap(message -> Arrays.stream(VARIES.split(message, -1)))
            .map(part -> part.strip().replaceFirst("^rollcall: ", ""))
            .filter(part -> part.length() > 3 && !said.contains(part))
            .toList());
  }

  private static List<String> messages() throws IOException {
    return ROW.matcher(page())
        .results()
        .flatMap(row -> CODE.matcher(row.group(1)).results())
        .map(code -> code.group(1))
        .filter(code -> QUOTES_US.matcher(code).matches())
        .toList();
  }

  /** The literals of all that is shipped, joined where the code joins them. */
  private static String said() throws IOException {
    return SourceFiles.below(HOME).stream()
        .filter(path ->
            path.toString().matches(".*/src/(main/(java/.*\\.java|launcher/rollcall)|[a-z_]+\\.c)"))
        .map(TroubleshootingPageTest::text)
        .map(text -> text.replaceAll("\"\\s*\\+?\\s*\"", ""))
        .map(text -> text.replaceAll("%[.0-9]*(?:zu|llu|u|s|d|m)|\\{[0-9]\\}", "\""))
        .map(text -> text.replace("''", "'").replace("\\\"", "\""))
        .collect(Collectors.joining("\n"));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void metricsAndAlertsAreThere() throws IOException {
    String metrics = Page.read("metrics.md").text();
    String rules = Files.readString(HOME.resolve("deploy/prometheus/rollcall.rules.yml"));
    Set<String> unknown = new TreeSet<>();
    METRIC
        .matcher(page())
        .results()
        .map(one -> one.group(1))
        .filter(name -> !metrics.contains("`" + name + "`"))
        .forEach(unknown::add);
    ALERT
        .matcher(page())
        .results()
        .map(one -> one.group())
        .filter(name -> !rules.contains("alert: " + name + "\n"))
        .forEach(unknown::add);

    assertEquals(Set.of(), unknown);
  }

  @Test
  void commandsAreThoseOfTheCommand() throws IOException {
    String reference = Page.read("cli.md").text();
    Set<String> unknown =
        COMMAND
            .matcher(page())
            .results()
            .map(one -> one.group(1))
            .filter(word -> !reference.contains("`" + word))
            .collect(Collectors.toCollection(TreeSet::new));

    assertEquals(Set.of(), unknown);
  }

  @Test
  void whatDoctorIsSaidToFindIsFoundByIt() throws IOException {
    String doctor = Page.read("cli.md").section("## doctor").text();
    Set<String> unknown =
        Pattern.compile("`rollcall doctor`: ([^|;]*)")
            .matcher(page())
            .results()
            .flatMap(one -> CODE.matcher(one.group(1)).results())
            .map(code -> code.group(1))
            .filter(id -> !doctor.contains("`" + id + "`"))
            .collect(Collectors.toCollection(TreeSet::new));

    assertEquals(Set.of(), unknown);
  }
}
