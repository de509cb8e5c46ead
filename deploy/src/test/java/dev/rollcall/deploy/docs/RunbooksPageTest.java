package dev.rollcall.deploy.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares docs/runbooks.md with the alerts, the metrics and the command. */
class RunbooksPageTest {
  private static final Path HOME = Path.of(System.getProperty("rollcall.home", ".."));
  private static final Pattern ALERT = Pattern.compile("- alert: (\\w+)");
  private static final Pattern HEADING = Pattern.compile("(?m)^## (\\w+)$");
  private static final Pattern PART = Pattern.compile("(?m)^\\*\\*(\\w+)\\.\\*\\* ");
  private static final Pattern METRIC = Pattern.compile("(?<![:\\w])(rollcall_[a-z_]+)");
  private static final Pattern COMMAND = Pattern.compile("`rollcall ([a-z]+)");

  @Test
  void everyAlertHasItsSectionInTheOrderOfTheRules() throws IOException {
    String rules = Files.readString(HOME.resolve("deploy/prometheus/rollcall.rules.yml"));
    assertEquals(found(ALERT, rules), found(HEADING, page().text()));
  }

  @Test
  void everySectionHasItsFourParts() throws IOException {
    for (String alert : found(HEADING, page().text())) {
      assertEquals(
          List.of("Meaning", "Impact", "Diagnosis", "Mitigation"),
          found(PART, page().section("## " + alert).text()),
          alert);
    }
  }

  @Test
  void metricsAndCommandsExist() throws IOException {
    String metrics = Page.read("metrics.md").text() + Page.read("job-metrics.md").text();
    String commands = Page.read("cli.md").text();
    assertEquals(
        List.of(),
        found(METRIC, page().text()).stream()
            .filter(name -> !metrics.contains("`" + name + "`"))
            .toList());
    assertEquals(
        List.of(),
        found(COMMAND, page().text()).stream()
            .filter(word -> !commands.contains("`" + word))
            .toList());
  }

  private static Page page() throws IOException {
    return Page.read("runbooks.md");
  }

  private static List<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(one -> one.group(1)).toList();
  }
}
