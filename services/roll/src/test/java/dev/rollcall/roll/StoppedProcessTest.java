package dev.rollcall.roll;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class StoppedProcessTest {
  private long nanos = Long.MAX_VALUE - 5; // it overflows, as it may

  private final StoppedProcess standstill = new StoppedProcess(() -> nanos);

  @Test
  void aProcessThatRunsHasMissedNothing() {
    for (int i = 0; i < 100; i++) {
      assertEquals(false, standstill.isRecent());
      nanos += StoppedProcess.LEAST_NANOS - 1;
    }
  }

  @Test
  void afterAStandstillItCatchesUpForAWhile() {
    nanos += StoppedProcess.LEAST_NANOS;
    long end = nanos + StoppedProcess.CATCH_UP_NANOS;
    for (; nanos < end; nanos += 1_000_000_000) {
      assertEquals(true, standstill.isRecent());
    }
    nanos = end;
    assertEquals(false, standstill.isRecent());
  }
}
