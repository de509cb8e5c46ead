package dev.rollcall.roll;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class StandstillTest {
  private long nanos = Long.MAX_VALUE - 5; // it overflows, as it may

  private final Standstill standstill = new Standstill(() -> nanos);

  @Test
  void aProcessThatRunsHasMissedNothing() {
    for (int i = 0; i < 100; i++) {
      assertEquals(false, standstill.isRecent());
      nanos += Standstill.LEAST_NANOS - 1;
    }
  }

  @Test
  void afterAStandstillItCatchesUpForAWhile() {
    nanos += Standstill.LEAST_NANOS;
    long end = nanos + Standstill.CATCH_UP_NANOS;
    for (; nanos < end; nanos += 1_000_000_000) {
      assertEquals(true, standstill.isRecent());
    }
    nanos = end;
    assertEquals(false, standstill.isRecent());
  }
}
