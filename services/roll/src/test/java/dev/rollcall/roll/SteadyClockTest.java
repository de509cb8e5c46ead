package dev.rollcall.roll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.hazelcast.internal.util.Clock;
import dev.rollcall.model.Endpoint;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SteadyClockTest {
  @ParameterizedTest
  @ValueSource(longs = {-3_600_000, 3_600_000, 31_536_000_000L, -31_536_000_000L})
  void aWallClockThatIsSteppedChangesNothing(long step) {
    var wall = new AtomicLong(1_800_000_000_000L);
    var nanos = new AtomicLong(Long.MAX_VALUE - 1_000_000);
    var clock = new SteadyClock(wall::get, nanos::get);
    wall.addAndGet(step);
    nanos.addAndGet(7_000_000);
    assertEquals(1_800_000_000_007L, clock.currentTimeMillis());
    wall.addAndGet(-step);
    assertEquals(1_800_000_000_007L, clock.currentTimeMillis());
  }

  /** Hazelcast reads its name from an internal property, which a later version may not have. */
  @Test
  void itIsHazelcastsClock() throws ReflectiveOperationException {
    MemberConfig.of(
        new GridConfig("c", "one:7450", Endpoint.parse("127.0.0.1:0"), List.of(), false));
    var field = Clock.class.getDeclaredField("CLOCK");
    field.setAccessible(true);
    assertInstanceOf(SteadyClock.class, field.get(null));
  }
}
