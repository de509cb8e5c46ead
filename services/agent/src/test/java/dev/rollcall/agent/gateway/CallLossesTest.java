package dev.rollcall.agent.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class CallLossesTest {
  private long nanos = 17;
  private final CallLosses losses = new CallLosses(() -> nanos);

  @Test
  void aLossStandsForAWhile() {
    assertEquals(Optional.empty(), losses.standing());
    losses.add(3L);
    nanos += CallLosses.KEEP.toNanos();
    assertEquals(Optional.of(3L), losses.standing());
    nanos += 1;
    assertEquals(Optional.empty(), losses.standing());
  }

  @Test
  void theLastLossStandsAnew() {
    losses.add(3L);
    nanos += CallLosses.KEEP.toNanos();
    losses.add(4L);
    nanos += CallLosses.KEEP.toNanos();
    assertEquals(Optional.of(4L), losses.standing());
  }
}
