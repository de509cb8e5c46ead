package dev.rollcall.deploy.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.wire.audit.AuditEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The schema on the page is the code's, kind by kind and in order. */
class AuditPageTest {
  private static final Pattern KIND = Pattern.compile("(?m)^### (.+)$");
  private static final Pattern FIELD = Pattern.compile("(?m)^\\| `([^`]+)` \\|");
  private static final Pattern NAME = Pattern.compile("\"([a-z_]+)\":");
  private static final Pattern EXAMPLE =
      Pattern.compile("(?m)^\\{[^{}]*\"event\":\"session\"[^{}]*}$");

  @Test
  void hasEveryKindOfLine() throws IOException {
    var kinds = new ArrayList<String>();
    kinds.add("every line");
    Arrays.stream(AuditEvent.values()).map(AuditEvent::word).forEach(kinds::add);
    assertEquals(kinds, found(KIND, Page.read("audit.md").section("## The schema").text()));
  }

  @Test
  void hasTheFieldsOfEveryLine() throws IOException {
    assertEquals(AuditEvent.COMMON, fields("every line"));
  }

  @ParameterizedTest
  @EnumSource(AuditEvent.class)
  void hasTheFieldsOfTheKind(AuditEvent event) throws IOException {
    assertEquals(event.fields(), fields(event.word()));
  }

  @Test
  void itsExampleIsALine() throws IOException {
    String example =
        EXAMPLE
            .matcher(Page.read("audit.md").text())
            .results()
            .map(MatchResult::group)
            .findFirst()
            .orElseThrow();
    var fields = new ArrayList<>(AuditEvent.COMMON);
    fields.addAll(AuditEvent.SESSION.fields());
    assertEquals(fields, found(NAME, example));
  }

  private static List<String> fields(String kind) throws IOException {
    return found(FIELD, Page.read("audit.md").section("### " + kind).text());
  }

  private static List<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(result -> result.group(1)).toList();
  }
}
