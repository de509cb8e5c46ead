package dev.rollcall.gateway.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.gateway.work.SerialExecutor;
import dev.rollcall.gateway.work.Workers;
import dev.rollcall.model.Call;
import dev.rollcall.model.Caller;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.port.Roll.NodeDescription;
import dev.rollcall.port.Roll.Registration;
import dev.rollcall.port.Roll.Standing;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.testkit.roll.InMemoryRoll;
import dev.rollcall.testkit.roll.SettableClock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CallsEnteredTest {
  private static final Duration KEEP = Duration.ofSeconds(150);
  private static final int MOST = 10;

  private final SettableClock clock = new SettableClock();
  private final InMemoryRoll roll = new InMemoryRoll(clock);
  private final Workers workers = new Workers(10);
  private final Counter cut = new SimpleMeterRegistry().counter("cut");
  private final CallsKept kept = new CallsKept(MOST, KEEP, () -> clock.millis() * 1_000_000);
  private final AtomicInteger taken = new AtomicInteger();
  private int reported;

  @AfterEach
  void stop() {
    workers.close();
  }

  private CallsEntered stream(String node) {
    var said =
        new NodeDescription(
            new NodeEpoch(new NodeName(node), "boot", 1), Set.of(), "g:1", "1", "fake");
    Registration registration =
        assertInstanceOf(Standing.Connected.class, roll.connect(said, Duration.ofDays(1)))
            .registration();
    return new CallsEntered(
        registration, roll, new SerialExecutor(workers, AssertionError::new), kept, KEEP, cut);
  }

  private static Connection ends(String node, int port) {
    return Connection.tcp(
        Endpoint.parse("10.0.0." + node.substring(1) + ":" + port), Endpoint.parse("10.0.0.9:22"));
  }

  private void report(CallsEntered stream, String node, int port, long job) {
    var caller =
        new Caller(
            "cluster",
            new NodeName(node),
            new Membership.InJob(new JobStep(new JobId(job), StepId.EXTERN)),
            1000,
            new ProcessRef(1, 1),
            Instant.EPOCH);
    reported++;
    stream.made(new Call(ends(node, port), caller), taken::incrementAndGet);
    Await.until("the roll has taken it", () -> taken.get() == reported);
  }

  private Optional<Caller> caller(String node, int port) {
    return roll.caller(ends(node, port), Duration.ofDays(1)).join();
  }

  @Test
  void callsAboveTheBoundOfANodeAreNotKeptAndThoseOfOthersAre() {
    CallsEntered flooded = stream("n1");
    for (int port = 1; port <= MOST + 5; port++) {
      report(flooded, "n1", port, 42);
    }
    assertTrue(caller("n1", MOST).isPresent());
    assertEquals(Optional.empty(), caller("n1", MOST + 1));
    assertEquals(5, cut.count());
    report(stream("n2"), "n2", 1, 42);
    assertTrue(caller("n2", 1).isPresent());
  }

  /** Else the roll would answer with the job of the earlier call. */
  @Test
  void aCallAboveTheBoundTakesTheEarlierOneOfTheSameEndsAway() {
    CallsEntered stream = stream("n1");
    for (int port = 1; port <= MOST; port++) {
      report(stream, "n1", port, 42);
    }
    report(stream, "n1", 7, 43);
    assertEquals(Optional.empty(), caller("n1", 7));
    assertTrue(caller("n1", 8).isPresent());
  }

  @Test
  void aCallCountsUntilTheRollHasForgottenItAlsoOnTheNextStream() {
    CallsEntered first = stream("n1");
    for (int port = 1; port <= MOST; port++) {
      report(first, "n1", port, 42);
    }
    clock.advance(KEEP.minusSeconds(1));
    kept.tick();
    CallsEntered second = stream("n1");
    report(second, "n1", 100, 42);
    assertEquals(1, cut.count());
    clock.advance(KEEP.dividedBy(4));
    kept.tick();
    report(second, "n1", 101, 42);
    assertEquals(1, cut.count());
    assertTrue(caller("n1", 101).isPresent());
  }
}
