package dev.rollcall.jobs.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.model.usage.Incident.Kind;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LineThrottleTest {
  private static final JobId JOB = new JobId(42);
  private static final JobStep EXTERN = new JobStep(JOB, StepId.EXTERN);
  private static final OptionalLong STEP = OptionalLong.empty();

  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
  private final LineThrottle throttle = new LineThrottle(clock::get);

  @Test
  void aLineIsAdmittedOnceInTenSeconds() {
    assertTrue(throttle.admits(EXTERN, STEP, Kind.OOM_KILL));
    assertTrue(throttle.admits(EXTERN, STEP, Kind.PIDS_REFUSED), "of another kind");
    assertTrue(throttle.admits(EXTERN, OptionalLong.of(1), Kind.OOM_KILL), "of a session");
    clock.addAndGet(LineThrottle.BETWEEN_NANOS);
    assertFalse(throttle.admits(EXTERN, STEP, Kind.OOM_KILL));
    clock.incrementAndGet();
    assertTrue(throttle.admits(EXTERN, STEP, Kind.OOM_KILL));
    throttle.forget(JOB);
    assertTrue(throttle.admits(EXTERN, STEP, Kind.OOM_KILL));
  }

  @Test
  void sessionsThatMeetALimitOneAfterAnotherLeaveNothing() {
    for (int session = 1; session <= 100_000; session++) {
      clock.addAndGet(LineThrottle.BETWEEN_NANOS + 1);
      assertTrue(throttle.admits(EXTERN, OptionalLong.of(session), Kind.PIDS_REFUSED));
      assertEquals(1, throttle.size());
    }
  }
}
