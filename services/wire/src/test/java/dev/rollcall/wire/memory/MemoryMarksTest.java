package dev.rollcall.wire.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryMarksTest {
  @ParameterizedTest
  @CsvSource({
    "0.00, false, -, false, false",
    "0.74, false, -, false, false",
    "0.69, true, -, false, false",
    "0.70, true, STRANGER, false, false",
    "0.75, false, STRANGER, false, false",
    "0.79, true, STRANGER, false, false",
    "0.80, false, USER, false, false",
    "0.85, false, SERVICE, true, false",
    "0.96, true, SERVICE, true, false",
    "0.97, true, SERVICE, true, true",
    "1.00, false, SERVICE, true, true",
  })
  void whatIsDoneAtAShare(
      double share, boolean isShort, String refused, boolean closes, boolean ends) {
    MemoryMarks marks = MemoryMarks.at(share, isShort);
    assertEquals(refused, marks.refused().map(PeerKind::name).orElse("-"));
    assertEquals(closes, marks.closes());
    assertEquals(ends, marks.ends());
  }
}
