package dev.rollcall.cli.ask;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeNamesTest {
  @Test
  void aNameIsOneAndAListIsAllOfThemOnce() {
    assertEquals(List.of("node1"), NodeNames.parse("node1").names());
    assertEquals(List.of("n09", "n10", "x", "n11"), NodeNames.parse("n[09-10],x,n[10-11]").names());
  }

  @Test
  void whatIsNoNameIsNamed() {
    assertEquals("'n@1' is not a node name", problem("n@1"));
    assertThrows(IllegalArgumentException.class, () -> NodeNames.parse("n[1-"));
    assertEquals("'-1' is not a node name", problem("-[1-2]"));
  }

  private static String problem(String text) {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> NodeNames.parse(text)).getMessage());
  }

  @Test
  void namesThatNoNodeHasAreToldAsAList() {
    NodeNames.parse("n[1-2]").areAmong(List.of("n1", "n2", "n3"));
    var failure =
        assertThrows(
            CommandFailure.class, () -> NodeNames.parse("n[1-9]").areAmong(List.of("n1", "n2")));
    assertEquals(ExitCode.NOT_FOUND, failure.code());
    assertEquals("no node is named 'n[3-9]'", failure.line());
  }
}
