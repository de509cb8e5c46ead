package dev.rollcall.wire.pace;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AlignedPeriodTest {
  @Test
  void periodsThatDivideEachOtherMeet() {
    Duration minute = AlignedPeriod.untilNext(Duration.ofMinutes(1));
    Duration half = AlignedPeriod.untilNext(Duration.ofSeconds(30));
    Duration between = minute.minus(half).plusSeconds(1);
    assertTrue(between.toSeconds() % 30 <= 1, "minute " + minute + ", half " + half);
  }

  @Test
  void theNextMomentIsAheadAndNotFartherThanAPeriod() {
    for (long nanos : new long[] {1, 7, 1_000_000}) {
      Duration until = AlignedPeriod.untilNext(Duration.ofNanos(nanos));
      assertTrue(until.isPositive() && until.toNanos() <= nanos, until.toString());
    }
  }
}
