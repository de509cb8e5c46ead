package dev.rollcall.roll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.Call;
import dev.rollcall.model.Caller;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.port.GatewayMail;
import dev.rollcall.port.Roll;
import dev.rollcall.port.Roll.NodeDescription;
import dev.rollcall.port.Roll.Owner;
import dev.rollcall.port.Roll.Registration;
import dev.rollcall.port.Roll.Standing;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.testkit.roll.SettableClock;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Members that die, entries that end, and splits that heal. */
class DyingMemberTest {
  private static final Duration LEASE = Duration.ofSeconds(15);
  private static final Duration KEEP = Duration.ofMinutes(5);
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  private static final int COUNT = 500;

  private final SettableClock clock = new SettableClock();
  private final Members members = new Members("dying", clock);

  @AfterEach
  void endMembers() {
    members.close();
  }

  @Test
  void noEntryIsLostWithAMember() throws IOException {
    Grid one = members.start("one:7450");
    Grid two = members.start("two:7450");
    Grid three = members.start("three:7450");
    Registration registration = tell(two.roll(), "n1", 1);
    awaitSafe(one, two, three);
    members.kill(two);
    Await.until("the others go on", () -> one.members() == 2);
    for (Grid left : List.of(one, three)) {
      assertEquals(COUNT, left.roll().jobs().size());
      assertEquals(COUNT, found(left.roll()));
      assertEquals(new Standing.Connected(registration), left.roll().renew(registration, LEASE));
      assertInstanceOf(Owner.OneNode.class, left.roll().ownerOf(address()));
    }
  }

  @Test
  void afterTwoMembersDiedAtOnceNodesAreToConnectAgain() throws Exception {
    Grid one = members.start("one:7450");
    Grid two = members.start("two:7450");
    Grid three = members.start("three:7450");
    tell(one.roll(), "n1", 1);
    awaitSafe(one, two, three);
    var connectedAgain = new AtomicInteger();
    one.mail().listen(new ConnectedAgain(connectedAgain::incrementAndGet));
    var dying = Thread.ofPlatform().start(() -> three.member().getLifecycleService().terminate());
    members.kill(two);
    assertTrue(dying.join(Duration.ofSeconds(60)), "both died");
    Await.until("nodes are to connect again", () -> connectedAgain.get() > 0);
    assertTrue(one.roll().jobs().size() < COUNT, "jobs were lost");
  }

  /** Hears of nothing else. */
  private record ConnectedAgain(Runnable told) implements GatewayMail.Listener {
    @Override
    public void received(String fromGateway, byte[] message) {}

    @Override
    public void nodesConnectAgain(String because) {
      told.run();
    }
  }

  @Test
  void endedCallsLeaveTheHeapAndItsBackup() throws IOException {
    Grid one = members.start("one:7450");
    Grid two = members.start("two:7450");
    Registration registration = connect(one.roll(), "n1", 1);
    for (int i = 0; i < COUNT; i++) {
      one.roll().enterCalls(registration, List.of(call(i)), Duration.ofSeconds(1));
    }
    assertTrue(held(one) + held(two) > 0, "calls are held");
    // Sweeps come every 5 s, and a backup's is told by its owner's: two or three rounds.
    Await.until("no call is held", Duration.ofSeconds(60), () -> held(one) + held(two) == 0);
  }

  @Test
  void aHealedSplitKeepsTheLaterStatements() throws IOException {
    Grid small =
        members.start(
            alone("small:7450", List.of(Members.LATER_ONES)),
            member -> {
              member.setProperty("hazelcast.merge.first.run.delay.seconds", "2");
              member.setProperty("hazelcast.merge.next.run.delay.seconds", "2");
            });
    Registration early = tell(small.roll(), "n1", 1);
    tell(small.roll(), "n2", 1, "10.0.0.2");
    clock.advance(Duration.ofSeconds(1));
    Grid large = members.start(alone("large:7450", List.of(Members.LATER_ONES)), _ -> {});
    members.start(
        alone("second:7450", List.of(Members.LATER_ONES, large.listening().toString())), _ -> {});
    Registration late = tell(large.roll(), "n1", 2);
    large.roll().complete(late);
    large.roll().strikeJob(late, new JobId(COUNT));
    introduce(small, large);

    Await.until("the two parts are one", () -> small.members() == 3 && large.members() == 3);
    for (Grid grid : List.of(small, large)) {
      Await.until("n2 was merged", () -> grid.roll().nodes().size() == 2);
      // What the larger part struck does not come back, and n2 has not told its jobs again.
      Await.until("jobs were merged", () -> grid.roll().jobs().size() == COUNT - 1);
      assertEquals(new Standing.Connected(late), grid.roll().renew(late, LEASE));
      assertInstanceOf(Standing.Replaced.class, grid.roll().renew(early, LEASE));
    }
    large.roll().complete(tell(small.roll(), "n2", 1, "10.0.0.2"));
    for (Grid grid : List.of(small, large)) {
      assertEquals(2 * COUNT - 1, grid.roll().jobs().size());
    }
    connect(small.roll(), "n3", 1, "10.0.0.3");
    connect(large.roll(), "n4", 1, "10.0.0.4");
    awaitOwner(large, "10.0.0.3");
    awaitOwner(small, "10.0.0.4");
  }

  /** As after a cut cable: from now on it looks for the other. */
  private static void introduce(Grid grid, Grid other) throws IOException {
    grid.member()
        .getConfig()
        .getNetworkConfig()
        .getJoin()
        .getTcpIpConfig()
        .addMember(other.listening().toString());
  }

  private GridConfig alone(String gateway, List<String> known) {
    return new GridConfig(members.cluster(), gateway, Endpoint.parse("127.0.0.1:0"), known, false);
  }

  private static Registration tell(Roll roll, String node, long run) {
    return tell(roll, node, run, "10.0.0.1");
  }

  private static Registration tell(Roll roll, String node, long run, String address) {
    Registration registration = connect(roll, node, run, address);
    for (int i = 1; i <= COUNT; i++) {
      var job = new Job(new JobId(i), 1000, 100, NOW, JobState.OPEN);
      roll.enterJob(registration, job, "alice", List.of(), NOW);
      roll.enterCalls(registration, List.of(call(i)), KEEP);
    }
    return registration;
  }

  private static Registration connect(Roll roll, String node, long run) {
    return connect(roll, node, run, "10.0.0.1");
  }

  private static void awaitOwner(Grid grid, String address) {
    Await.until(
        address + " has one owner",
        () -> grid.roll().ownerOf(InetAddress.ofLiteral(address)) instanceof Owner.OneNode);
  }

  private static Registration connect(Roll roll, String node, long run, String address) {
    var epoch = new NodeEpoch(new NodeName(node), "boot", run);
    var said =
        new NodeDescription(
            epoch, Set.of(InetAddress.ofLiteral(address)), "one:7450", "0.1.0", "sock_ops");
    return assertInstanceOf(Standing.Connected.class, roll.connect(said, LEASE)).registration();
  }

  private static long found(Roll roll) {
    return IntStream.rangeClosed(1, COUNT)
        .filter(i -> roll.caller(call(i).connection(), Duration.ofDays(1)).join().isPresent())
        .count();
  }

  private static long held(Grid grid) {
    var stats = grid.member().getMap(HazelcastRoll.CALLS).getLocalMapStats();
    return stats.getOwnedEntryCount() + stats.getBackupEntryCount();
  }

  private static void awaitSafe(Grid... grids) {
    Await.until(
        "every partition has its backup",
        () ->
            java.util.Arrays.stream(grids)
                .allMatch(g -> g.member().getPartitionService().isClusterSafe()));
  }

  private static InetAddress address() {
    return InetAddress.ofLiteral("10.0.0.1");
  }

  private static Call call(int i) {
    var caller =
        new Caller(
            "c", new NodeName("n1"), new Membership.NoJob(), 1000, new ProcessRef(9, 9), NOW);
    return new Call(
        Connection.tcp(new Endpoint(address(), 10_000 + i), Endpoint.parse("10.0.0.2:22")), caller);
  }
}
