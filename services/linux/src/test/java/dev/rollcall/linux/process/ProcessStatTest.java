package dev.rollcall.linux.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessStatTest {
  private static final String TAIL =
      " S 7 42 41 34816 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 123456 9000 100 18446744073709551615 1"
          + " 1";

  @Test
  void readsTheFieldsOfALine() {
    assertEquals(
        Optional.of(new ProcessStat(42, "sshd", 'S', 7, 41, 34816, 123456)),
        ProcessStat.parse("42 (sshd)" + TAIL));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a) S 1 (b", ")", "((", ") Z 9 9 9", "", "x) R 1 2 3\n4"})
  void aNameCannotPassItselfOffAsOtherFields(String name) {
    assertEquals(
        Optional.of(new ProcessStat(42, name, 'S', 7, 41, 34816, 123456)),
        ProcessStat.parse("42 (" + name + ")" + TAIL));
  }

  @Test
  void everyCutLineIsAbsentOrWhole() {
    String line = "42 (sshd)" + TAIL;
    int enough = line.indexOf("123456");
    for (int length = 0; length < enough; length++) {
      assertTrue(ProcessStat.parse(line.substring(0, length)).isEmpty(), "length " + length);
    }
  }
}
