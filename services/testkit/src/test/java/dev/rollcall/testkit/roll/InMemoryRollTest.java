package dev.rollcall.testkit.roll;

import dev.rollcall.port.Roll;
import java.time.Duration;

class InMemoryRollTest extends RollContract {
  private final SettableClock clock = new SettableClock();
  private final InMemoryRoll roll = new InMemoryRoll(clock);

  @Override
  protected Roll here() {
    return roll;
  }

  @Override
  protected Roll there() {
    return roll;
  }

  @Override
  protected void pass(Duration time) {
    clock.advance(time);
  }
}
