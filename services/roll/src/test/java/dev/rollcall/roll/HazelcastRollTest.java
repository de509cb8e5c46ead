package dev.rollcall.roll;

import dev.rollcall.port.Roll;
import dev.rollcall.testkit.roll.Await;
import dev.rollcall.testkit.roll.RollContract;
import dev.rollcall.testkit.roll.SettableClock;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** The contract across two members: written at one, read at the other. */
class HazelcastRollTest extends RollContract {
  private static final Members MEMBERS = new Members("contract", new SettableClock());
  private static Grid one;
  private static Grid two;

  private final SettableClock clock = new SettableClock();
  private HazelcastRoll here;
  private HazelcastRoll there;

  @BeforeAll
  static void startMembers() throws IOException {
    one = MEMBERS.start("one:7450");
    two = MEMBERS.start("two:7450");
  }

  @AfterAll
  static void endMembers() {
    MEMBERS.close();
  }

  @BeforeEach
  void startEmpty() {
    one.member().getMap(HazelcastRoll.NODES).clear();
    one.member().getMap(HazelcastRoll.JOBS).clear();
    one.member().getMap(HazelcastRoll.CALLS).clear();
    here = new HazelcastRoll(one.member(), clock, this::nanos);
    there = new HazelcastRoll(two.member(), clock, this::nanos);
  }

  @AfterEach
  void closeRolls() {
    here.close();
    there.close();
  }

  @Override
  protected Roll here() {
    return here;
  }

  @Override
  protected Roll there() {
    return there;
  }

  @Override
  protected void pass(Duration time) {
    // What one says, the other hears some milliseconds later: that is not to be a lease's time.
    Await.until("both have heard", () -> here.revisions().equals(there.revisions()));
    clock.advance(time);
  }

  private long nanos() {
    return clock.millis() * 1_000_000;
  }
}
