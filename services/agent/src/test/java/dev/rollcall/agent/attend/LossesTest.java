package dev.rollcall.agent.attend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.agent.event.CallsLost;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LossesTest {
  private long nanos = 17;
  private final Losses losses = new Losses(() -> nanos);

  @Test
  void aLossStandsForAWhile() {
    assertEquals(Optional.empty(), losses.standing());
    losses.add(new CallsLost(3));
    nanos += Losses.KEEP.toNanos();
    assertEquals(Optional.of(new CallsLost(3)), losses.standing());
    nanos += 1;
    assertEquals(Optional.empty(), losses.standing());
  }

  @Test
  void theLastLossStandsAnew() {
    losses.add(new CallsLost(3));
    nanos += Losses.KEEP.toNanos();
    losses.add(new CallsLost(4));
    nanos += Losses.KEEP.toNanos();
    assertEquals(Optional.of(new CallsLost(4)), losses.standing());
  }
}
