package dev.rollcall.agent.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.event.AnnouncedCall;
import dev.rollcall.agent.event.RollQuestion;
import dev.rollcall.agent.login.caller.PendingCallers;
import dev.rollcall.model.Call;
import dev.rollcall.model.Caller;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.wire.NodeMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Numbers of one node, as the pending callers of another node follow them. */
class AnnouncementsTest {
  private static final NodeName SOURCE = new NodeName("node1");

  private final Announcements announcements = new Announcements(new NodeEpoch(SOURCE, "boot", 3));
  private final PendingCallers pending =
      new PendingCallers(
          Duration.ofSeconds(120), TestNode.IS_OWN, new SimpleMeterRegistry(), new Ignored());

  private record Ignored() implements PendingCallers.Listener {
    @Override
    public void expected(Connection call, Caller caller, Duration keep) {}

    @Override
    public void settled(Connection call) {}
  }

  private static Call call(Connection connection, int pid) {
    return new Call(
        connection,
        new Caller(
            "test",
            SOURCE,
            new Membership.NoJob(),
            TestNode.ALICE,
            new ProcessRef(pid, 9),
            TestNode.NOON));
  }

  /** Makes a call to the other node, which hears of it. */
  private void push(int port, int pid) {
    var told =
        announcements
            .announcement(call(TestNode.callFrom(TestNode.FAR, port), pid))
            .getAnnouncement();
    pending.announce(new AnnouncedCall(NodeMapper.call(told), told.getSequence(), told.getEpoch()));
  }

  private Optional<Integer> pidOf(int port) {
    return pending
        .take(TestNode.callFrom(TestNode.FAR, port), RollQuestion.ANY_AGE)
        .map(caller -> caller.process().pid());
  }

  private void callManyAddresses() {
    for (int i = 0; i < Announcements.MOST_ADDRESSES; i++) {
      var remote = Endpoint.of(new byte[] {10, 99, (byte) (i >> 8), (byte) i}, 22);
      announcements.announcement(call(Connection.tcp(new Endpoint(TestNode.FAR, 1), remote), 1));
    }
  }

  @Test
  void aNodeBelievesTheNextCallAfterItsAddressWasForgotten() {
    push(40_000, 1);
    push(40_001, 2);
    callManyAddresses();
    push(40_000, 3);
    push(40_002, 4);
    assertEquals(Optional.of(3), pidOf(40_000));
    assertEquals(Optional.of(4), pidOf(40_002));
  }

  @Test
  void aNumberThatIsUsedMeanwhileIsAGap() {
    push(40_000, 1);
    announcements.withdrawal(TestNode.callFrom(TestNode.FAR, 40_000)); // and is not sent
    callManyAddresses();
    push(40_001, 2);
    assertEquals(Optional.empty(), pidOf(40_000));
    assertEquals(Optional.of(2), pidOf(40_001));
  }
}
