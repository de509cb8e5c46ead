package dev.rollcall.wire.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class EnumCountersTest {
  private enum Reason {
    LATE,
    NOT_OURS
  }

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final EnumCounters<Reason> counters =
      new EnumCounters<>(registry, "rollcall.test", "reason", Reason.class);

  @Test
  void eachValueIsThereFromTheStart() {
    assertEquals(2, registry.find("rollcall.test").counters().size());
    assertEquals(0, registry.get("rollcall.test").tag("reason", "late").counter().count());
  }

  @Test
  void countsUnderTheValuesWord() {
    counters.of(Reason.NOT_OURS).increment(3);
    assertEquals(3, registry.get("rollcall.test").tag("reason", "not-ours").counter().count());
    assertEquals(0, counters.of(Reason.LATE).count());
  }
}
