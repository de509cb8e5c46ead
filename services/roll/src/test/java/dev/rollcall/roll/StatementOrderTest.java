package dev.rollcall.roll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll.NodeDescription;
import dev.rollcall.port.Roll.Registration;
import java.time.Instant;
import java.util.AbstractMap.SimpleEntry;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is refused where an entry lives, if the check before a write came too early. */
class StatementOrderTest {
  private static final long LEASE = 15_000;

  private static NodeEpoch run(String node, String boot, long number) {
    return new NodeEpoch(new NodeName(node), boot, number);
  }

  private static JobValue job(String node, long registration, String user) {
    return new JobValue(
        run(node, "boot", 1),
        registration,
        new Job(new JobId(7), 1000, 1000, Instant.EPOCH, JobState.OPEN),
        user,
        List.of(),
        Instant.EPOCH);
  }

  private static SimpleEntry<String, @Nullable JobValue> entry(@Nullable JobValue value) {
    return new SimpleEntry<>("n1/7", value);
  }

  private static boolean enter(SimpleEntry<String, @Nullable JobValue> entry, JobValue value) {
    return new Enter<String, JobValue>(value, 0).process(entry);
  }

  @Test
  void anEarlierRegistrationOverwritesNothingOfALaterOne() {
    JobValue later = job("n1", 2, "later");
    var entry = entry(later);
    assertFalse(enter(entry, job("n1", 1, "earlier")));
    assertEquals(later, entry.getValue());
    assertTrue(enter(entry, job("n1", 2, "again")));
    assertTrue(enter(entry, job("n1", 3, "latest")));
    assertEquals("latest", entry.getValue().user());
    assertTrue(enter(entry(null), later));
  }

  /** Numbers of registrations order what one node says. */
  @Test
  void anotherNodesStatementIsOverwrittenWhateverItsRegistrationIs() {
    var entry = entry(job("n2", 9, "other"));
    assertTrue(enter(entry, job("n1", 1, "mine")));
    assertEquals("mine", entry.getValue().user());
  }

  @Test
  void aNodeRemovesOnlyWhatItSaidUntilThen() {
    var strike = new Strike<String, JobValue>("n1", 2);
    for (JobValue kept : List.of(job("n1", 3, "later"), job("n2", 1, "other"))) {
      var entry = entry(kept);
      assertFalse(strike.process(entry));
      assertEquals(kept, entry.getValue());
    }
    for (long registration : new long[] {1, 2}) {
      var entry = entry(job("n1", registration, "own"));
      assertTrue(strike.process(entry));
      assertNull(entry.getValue());
    }
    assertFalse(strike.process(entry(null)));
  }

  private static NodeValue connected(@Nullable NodeValue before, String boot, long run, long now) {
    var said = new NodeDescription(run("n1", boot, run), Set.of(), "gateway", "version", "source");
    return NodeValue.connected(before, said, now, LEASE);
  }

  /** So they grow after all members were down, and in both parts of a grid that was split. */
  @Test
  void registrationsAreNumberedByTheGridsClock() {
    NodeValue first = connected(null, "boot", 1, 5_000);
    assertEquals(5_000_000, first.registration());
    assertEquals(5_000_001, connected(first, "boot", 1, 5_000).registration());
    assertEquals(5_000_001, connected(first, "boot", 1, 4_000).registration(), "a stepped clock");
    assertEquals(6_000_000, connected(first, "boot", 1, 6_000).registration());
  }

  @Test
  void aRegistrationIsTheLatestOnlyOfItsRun() {
    NodeValue node = connected(null, "boot", 2, 5_000);
    assertTrue(node.isLatest(new Registration(run("n1", "boot", 2), node.registration())));
    assertFalse(node.isLatest(new Registration(run("n1", "boot", 1), node.registration())));
    assertFalse(node.isLatest(new Registration(run("n1", "boot", 2), node.registration() - 1)));
  }

  @Test
  void fourEarlierBootsAreKept() {
    NodeValue node = connected(null, "boot-0", 1, 1);
    for (int boot = 1; boot <= 6; boot++) {
      node = connected(node, "boot-" + boot, 1, 1 + boot);
    }
    assertEquals(List.of("boot-5", "boot-4", "boot-3", "boot-2"), node.pastBoots());
  }
}
