package dev.rollcall.agent.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.agent.event.CallsLost;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CallLossesTest {
  private long nanos = 17;
  private final CallLosses losses = new CallLosses(() -> nanos);

  @Test
  void aLossStandsForAWhile() {
    assertEquals(Optional.empty(), losses.standing());
    losses.add(new CallsLost(3));
    nanos += CallLosses.KEEP.toNanos();
    assertEquals(Optional.of(new CallsLost(3)), losses.standing());
    nanos += 1;
    assertEquals(Optional.empty(), losses.standing());
  }

  @Test
  void theLastLossStandsAnew() {
    losses.add(new CallsLost(3));
    nanos += CallLosses.KEEP.toNanos();
    losses.add(new CallsLost(4));
    nanos += CallLosses.KEEP.toNanos();
    assertEquals(Optional.of(new CallsLost(4)), losses.standing());
  }
}
