package dev.rollcall.cli;

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

  @Test
  void aRowHasACellForEachColumn() {
    assertThrows(IllegalArgumentException.class, () -> new Table("A").row(1, 2));
  }
}
