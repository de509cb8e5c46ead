package dev.rollcall.cli.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
  @Test
  void columnsAreAsWideAsTheirWidestCell() {
    var table = new Table("A", "B").row("long", "").row("x", 5);
    assertEquals(List.of("A     B", "long  -", "x     5"), table.lines());
  }

  @Test
  void controlCharactersAreShownAsQuestionMarks() {
    assertEquals(List.of("A", "a?[2J?"), new Table("A").row("a\033[2J\n").lines());
  }

  /** CSI as one character (C1), a separator of lines, and what turns the direction of writing. */
  @Test
  void whatATerminalObeysBeyondAsciiIsShownSoToo() {
    String name = "a\u009b2J\u2028b\u202ec\u200b\ud800d";
    assertEquals(List.of("A", "a?2J?b?c??d"), new Table("A").row(name).lines());
  }

  @Test
  void aCellHasABound() {
    List<String> lines = new Table("VERSION", "B").row("9".repeat(1 << 20), "x").lines();
    assertEquals("9".repeat(1024) + "… (1047552 more)  x", lines.getLast());
  }

  @Test
  void aRowHasACellForEachColumn() {
    assertThrows(IllegalArgumentException.class, () -> new Table("A").row(1, 2));
  }
}
