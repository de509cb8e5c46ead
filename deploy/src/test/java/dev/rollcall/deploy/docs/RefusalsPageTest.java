package dev.rollcall.deploy.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages for users have every reason that a refusal may show. */
class RefusalsPageTest {
  private static final Path SERVICES =
      Path.of(System.getProperty("rollcall.home", "..")).resolve("services");
  private static final Pattern OF_THE_MODULE = Pattern.compile("refuse\\(visit, \"([^\"]+)\"\\);");
  private static final Pattern OF_A_BROKEN_LINE =
      Pattern.compile("PAM_SERVICE_ERR \\? \"([^\"]+)\"\\s*: \"([^\"]+)\"");
  private static final Pattern OF_THE_POLICY =
      Pattern.compile(
          "new Deny\\([^\"]*\"([^\"]+)\"( \\+ \\w+(?:\\.\\w+\\(\\))?(?: \\+ \"([^\"]+)\")?)?");

  /** With N for a number. */
  private static Set<String> reasons() throws IOException {
    var reasons = new TreeSet<String>();
    String module = Files.readString(SERVICES.resolve("pam/src/pam_rollcall.c"));
    OF_THE_MODULE.matcher(module).results().forEach(found -> reasons.add(found.group(1)));
    OF_A_BROKEN_LINE
        .matcher(module)
        .results()
        .forEach(found -> reasons.addAll(List.of(found.group(1), found.group(2))));
    String policy =
        Files.readString(
            SERVICES.resolve("model/src/main/java/dev/rollcall/model/AdoptPolicy.java"));
    OF_THE_POLICY
        .matcher(policy)
        .results()
        .forEach(found -> {
          String end = found.group(3) == null ? "" : found.group(3);
          reasons.add(found.group(1) + (found.group(2) == null ? "" : "N") + end);
        });
    reasons.addAll(
        List.of(
            "came from neither",
            "it is not known from which you came",
            "job N was entered in part",
            "too many logins are in progress, try again"));
    return reasons;
  }

  @Test
  void areFoundInTheSources() throws IOException {
    assertTrue(
        reasons()
            .containsAll(
                List.of(
                    "adoption failure",
                    "failed to enter job N",
                    "its configuration on this node is wrong",
                    "job N is starting, try again",
                    "job N is suspended",
                    "the user cannot be looked up",
                    "you have no active jobs on this node, or one is still starting")),
        () -> "not found in the sources");
  }

  @ParameterizedTest
  @ValueSource(strings = {"faq.md", "troubleshooting.md"})
  void areOnThePage(String name) throws IOException {
    String page = Page.read(name).text();
    assertEquals(
        List.of(),
        reasons().stream().filter(reason -> !page.contains("`" + reason + "`")).toList());
  }
}
