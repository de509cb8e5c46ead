package dev.rollcall.agent.login.caller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.event.AnnouncedCall;
import dev.rollcall.agent.event.LostSource;
import dev.rollcall.agent.event.WithdrawnCall;
import dev.rollcall.model.Call;
import dev.rollcall.model.Caller;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PendingCallersTest {
  private static final Duration KEEP = Duration.ofSeconds(150);
  private static final int CAPACITY = 8;

  private long nanos = 17;
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final PendingCallers pending =
      new PendingCallers(KEEP, CAPACITY, TestNode.IS_OWN, () -> nanos, registry, new Listening());

  /** Callers that are expected. */
  private final Set<Connection> expected = new HashSet<>();

  private Duration mostAge = KEEP;

  private final class Listening implements PendingCallers.Listener {
    @Override
    public void expected(Connection call, Caller caller, Duration keep) {
      expected.add(call);
    }

    @Override
    public void settled(Connection call) {
      assertTrue(expected.remove(call), call + " was not expected");
    }
  }

  @AfterEach
  void whatIsExpectedIsPending() {
    assertEquals(pending.size(), expected.size());
  }

  private static Connection call(int port) {
    return TestNode.callFrom(TestNode.FAR, port);
  }

  private static Caller caller(String node) {
    return new Caller(
        "test",
        new NodeName(node),
        new Membership.NoJob(),
        TestNode.ALICE,
        new ProcessRef(9, 9),
        TestNode.NOON);
  }

  private void announce(String node, int port, long epoch, long sequence) {
    pending.announce(new AnnouncedCall(new Call(call(port), caller(node)), sequence, epoch));
  }

  private void withdraw(String node, int port, long epoch, long sequence) {
    pending.withdraw(new WithdrawnCall(new NodeName(node), call(port), sequence, epoch));
  }

  private void assertKnown(int port, String node) {
    assertEquals(Optional.of(caller(node)), pending.take(call(port), mostAge));
  }

  private void assertUnknown(int port) {
    assertEquals(Optional.empty(), pending.take(call(port), mostAge));
  }

  @Test
  void anEntryServesOnce() {
    announce("node1", 1, 1, 1);
    assertKnown(1, "node1");
    assertUnknown(1);
  }

  @Test
  void aCallToAnAddressThatIsNotThisNodesIsNotKept() {
    Connection toAnother = call(1).flipped();
    pending.announce(new AnnouncedCall(new Call(toAnother, caller("node1")), 1, 1));
    assertEquals(Optional.empty(), pending.take(toAnother, mostAge));
    assertEquals(
        1,
        registry.get("rollcall.login.callers.dropped").tag("reason", "not-ours").counter().count());
    announce("node1", 1, 1, 1);
    assertKnown(1, "node1");
  }

  @Test
  void aLoginThatNeedsNoAnswerUsesItsEntryUp() {
    announce("node1", 1, 1, 1);
    announce("node1", 2, 1, 2);
    pending.arrived(call(1));
    pending.arrived(call(1));
    assertUnknown(1);
    assertKnown(2, "node1");
  }

  @Test
  void anEntryExpires() {
    announce("node1", 1, 1, 1);
    announce("node1", 2, 1, 2);
    nanos += KEEP.toNanos() - 1;
    assertKnown(1, "node1");
    nanos += 1;
    assertUnknown(2);
    assertEquals(0, pending.size());
  }

  /** Its node's later push was lost, as while a break of its stream is not noticed. */
  @Test
  void aCallerThatWasPushedBeforeTheConnectionBeganIsOfAnEarlierOne() {
    mostAge = Duration.ofSeconds(7); // sshd accepted 5 s ago
    announce("node1", 1, 1, 1);
    announce("node1", 2, 1, 2);
    nanos += mostAge.toNanos();
    assertKnown(1, "node1");
    nanos += 1;
    assertUnknown(2);
    assertEquals(0, pending.size());
    announce("node1", 2, 1, 3);
    assertKnown(2, "node1");
  }

  @Test
  void aGapTakesWhatTheSourceSaidBefore() {
    announce("node1", 1, 1, 1);
    announce("node3", 2, 1, 1);
    announce("node1", 3, 1, 3);
    assertUnknown(1);
    assertKnown(2, "node3");
    assertKnown(3, "node1");
  }

  @Test
  void lostCallsTakeWhatTheSourceSaidBefore() {
    announce("node1", 1, 1, 1);
    announce("node3", 2, 1, 1);
    pending.lose(new LostSource(Optional.of(new NodeName("node1")), Optional.empty()));
    assertUnknown(1);
    assertKnown(2, "node3");
    pending.lose(LostSource.ALL);
    assertEquals(0, pending.size());
  }

  @Test
  void lostCallsFromAnAddressLeaveThoseFromAnother() {
    announce("node1", 1, 1, 1);
    var other = InetAddress.ofLiteral("10.9.9.9");
    pending.lose(new LostSource(Optional.of(new NodeName("node1")), Optional.of(other)));
    assertKnown(1, "node1");
    announce("node1", 1, 1, 2);
    announce("node3", 2, 1, 1);
    InetAddress own = call(1).local().address();
    pending.lose(new LostSource(Optional.of(new NodeName("node1")), Optional.of(own)));
    assertUnknown(1);
    assertKnown(2, "node3");
  }

  @Test
  void aWithdrawnCallerIsUnknownAndOthersStand() {
    announce("node1", 1, 1, 1);
    announce("node1", 2, 1, 2);
    withdraw("node1", 1, 1, 3);
    withdraw("node1", 7, 1, 4); // which was taken, or is too old
    announce("node1", 3, 1, 5);
    assertUnknown(1);
    assertKnown(2, "node1");
    assertKnown(3, "node1");
  }

  @Test
  void aCallerThatAnotherNodePushedIsNotWithdrawn() {
    announce("node1", 1, 1, 1);
    withdraw("node3", 1, 1, 1);
    assertKnown(1, "node1");
  }

  @Test
  void aSourceThatIsSilentForAsLongAsCallersAreKeptMayCountAnew() {
    announce("node1", 1, 9, 5);
    nanos += KEEP.toNanos() - 1;
    announce("node1", 2, 8, 6);
    nanos += 1;
    announce("node1", 3, 8, 7);
    assertUnknown(1);
    assertUnknown(2);
    assertKnown(3, "node1");
  }

  @Test
  void aWithdrawalAfterAGapTakesWhatTheSourceSaidBefore() {
    announce("node1", 1, 1, 1);
    announce("node1", 2, 1, 2);
    withdraw("node1", 7, 1, 4);
    assertEquals(0, pending.size());
  }

  @Test
  void aWithdrawalThatComesLateIsNotBelieved() {
    withdraw("node1", 1, 1, 1);
    announce("node1", 1, 1, 2);
    withdraw("node1", 1, 1, 1);
    assertKnown(1, "node1");
  }

  @Test
  void aNewEpochTakesWhatTheOldOneSaid() {
    announce("node1", 1, 1, 9);
    announce("node1", 2, 2, 1);
    assertUnknown(1);
    assertKnown(2, "node1");
  }

  @Test
  void whatComesLateIsNotBelieved() {
    announce("node1", 1, 2, 2);
    announce("node1", 2, 1, 3);
    announce("node1", 3, 2, 1);
    announce("node1", 4, 2, 2);
    assertKnown(1, "node1");
    assertEquals(0, pending.size());
  }

  @Test
  void aConnectionThatIsMadeAgainHasItsNewCaller() {
    announce("node1", 1, 1, 1);
    announce("node3", 1, 1, 1);
    assertKnown(1, "node3");
  }

  @Test
  void whenFullTheOldestGoes() {
    for (int port = 1; port <= CAPACITY + 1; port++) {
      announce("node1", port, 1, port);
    }
    assertEquals(CAPACITY, pending.size());
    assertUnknown(1);
    assertKnown(CAPACITY + 1, "node1");
  }

  /** A gateway may make up the names of nodes. */
  @Test
  void ofMoreSourcesThanEntriesTheFurtherAreNotKept() {
    for (int i = 1; i <= CAPACITY; i++) {
      announce("node" + i, 40_000 + i, 1, 1);
      withdraw("node" + i, 40_000 + i, 1, 2);
    }
    announce("further", 50_000, 1, 1);
    assertEquals(0, pending.size());
    announce("node1", 40_001, 1, 3);
    assertEquals(1, pending.size());
    nanos += KEEP.toNanos();
    announce("further", 50_000, 1, 2);
    assertEquals(1, pending.size());
  }
}
