package dev.rollcall.agent.attend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.agent.event.CallsLost;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class LossesTest {
  private long nanos = 17;
  private final Losses losses = new Losses(() -> nanos);

  private static CallsLost of(int uid) {
    return new CallsLost(1, OptionalInt.of(uid));
  }

  private static CallsLost everybodys(long calls) {
    return new CallsLost(calls, OptionalInt.empty());
  }

  @Test
  void aLossStandsForAWhile() {
    losses.add(of(1));
    nanos += Losses.KEEP.toNanos();
    losses.add(of(2));
    assertEquals(List.of(of(1), of(2)), losses.standing());
    nanos += 1;
    assertEquals(List.of(of(2)), losses.standing());
  }

  @Test
  void aLossOfTheSameUserStandsAnew() {
    losses.add(of(1));
    nanos += Losses.KEEP.toNanos();
    losses.add(of(1));
    nanos += 1;
    assertEquals(List.of(of(1)), losses.standing());
  }

  @Test
  void everybodysTakesInWhatWasSaidBeforeAndNotWhatComes() {
    losses.add(of(1));
    losses.add(everybodys(7));
    losses.add(of(2));
    assertEquals(List.of(everybodys(7), of(2)), losses.standing());
  }

  @Test
  void tooManyUsersAreEverybody() {
    for (int uid = 1; uid <= Losses.MOST; uid++) {
      losses.add(of(uid));
    }
    losses.add(of(1));
    assertEquals(Losses.MOST, losses.standing().size());
    losses.add(of(Losses.MOST + 1));
    assertEquals(List.of(everybodys(1)), losses.standing());
  }
}
