package dev.rollcall.testkit.roll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.Call;
import dev.rollcall.model.Caller;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobLabel;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.Protocol;
import dev.rollcall.model.StepId;
import dev.rollcall.port.Roll;
import dev.rollcall.port.Roll.JobEntry;
import dev.rollcall.port.Roll.NodeDescription;
import dev.rollcall.port.Roll.NodeEntry;
import dev.rollcall.port.Roll.Owner;
import dev.rollcall.port.Roll.Presence;
import dev.rollcall.port.Roll.Registration;
import dev.rollcall.port.Roll.Standing;
import dev.rollcall.testkit.count.Counts;
import dev.rollcall.testkit.process.Await;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the behaviour of every roll. Updates are written at {@link #here} and read at {@link
 * #there}: two members of one grid, or the same fake twice.
 */
public abstract class RollContract {
  protected static final Duration LEASE = Duration.ofSeconds(15);
  protected static final Duration KEEP = Duration.ofSeconds(150);
  private static final String BOOT = "8f0e0a2c-0d5c-4b3b-9d2a-000000000001";
  private static final String NEXT_BOOT = "8f0e0a2c-0d5c-4b3b-9d2a-000000000002";
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00.123456789Z");

  protected abstract Roll here();

  protected abstract Roll there();

  /** Lets time pass for leases; for the lives of calls only as far as the roll's own clock does. */
  protected abstract void pass(Duration time);

  private static Optional<Caller> caller(Roll roll, Connection connection) {
    return caller(roll, connection, KEEP);
  }

  static Optional<Caller> caller(Roll roll, Connection connection, Duration mostAge) {
    return roll.caller(connection, mostAge).orTimeout(10, TimeUnit.SECONDS).join();
  }

  @Test
  void aNodeThatConnectsIsListedWithWhatItSaid() {
    connect("n1", BOOT, 1, "10.0.0.1", "fd77::1");
    NodeEntry entry = node("n1");
    assertEquals(said("n1", BOOT, 1, "10.0.0.1", "fd77::1"), entry.description());
    assertEquals(false, entry.lost());
    assertEquals(0, entry.jobs());
  }

  @Test
  void itsSizeIsOfAllNodesAndWithoutCallsOfLostOnes() {
    Registration first = connect("n1", BOOT, 1, "10.0.0.1");
    here().enterJob(first, job(1), "alice", List.of(), NOW);
    pass(LEASE.plusSeconds(1));
    awaitLost("n1");
    Registration second = connect("n2", NEXT_BOOT, 1, "10.0.0.2");
    here().enterJob(second, job(1), "alice", List.of(), NOW);
    here().enterJob(second, job(2), "alice", List.of(), NOW);
    here().enterCalls(second, List.of(call("n2", 1, 40001)), KEEP);
    awaitOwner("10.0.0.2", new Owner.OneNode(new NodeName("n2"), "gate:7450"));
    assertEquals(new Roll.Size(1, 1, 3, 1), there().size());
  }

  @Test
  void anAddressBelongsToTheNodeThatClaimsIt() {
    connect("n1", BOOT, 1, "10.0.0.1", "fd77::1");
    awaitOwner("10.0.0.1", new Owner.OneNode(new NodeName("n1"), "gate:7450"));
    awaitOwner("fd77::1", new Owner.OneNode(new NodeName("n1"), "gate:7450"));
    assertEquals(new Owner.Nobody(), there().ownerOf(address("10.0.0.9")));
  }

  @Test
  void theAddressesOfAllNodesAreKnownAlsoOfThoseThatAreLost() {
    connect("n1", BOOT, 1, "10.0.0.1", "fd77::1");
    pass(LEASE.plusSeconds(1));
    awaitLost("n1");
    connect("n2", NEXT_BOOT, 1, "10.0.0.2");
    awaitOwner("10.0.0.2", new Owner.OneNode(new NodeName("n2"), "gate:7450"));
    assertEquals(
        Set.of(address("10.0.0.1"), address("fd77::1"), address("10.0.0.2")), there().addresses());
  }

  @Test
  void anAddressThatANodeGaveUpBelongsToNobody() {
    connect("n1", BOOT, 1, "10.0.0.1");
    connect("n1", BOOT, 1, "10.0.0.2");
    awaitOwner("10.0.0.2", new Owner.OneNode(new NodeName("n1"), "gate:7450"));
    assertEquals(new Owner.Nobody(), there().ownerOf(address("10.0.0.1")));
  }

  @Test
  void anAddressThatTwoNodesClaimIsDisputedUntilOneIsLost() {
    connect("n1", BOOT, 1, "10.0.0.1");
    pass(LEASE.dividedBy(2));
    connect("n2", NEXT_BOOT, 1, "10.0.0.1");
    awaitOwner("10.0.0.1", new Owner.Disputed(Set.of(new NodeName("n1"), new NodeName("n2"))));
    pass(LEASE.dividedBy(2).plusSeconds(1));
    awaitLost("n1");
    awaitOwner("10.0.0.1", new Owner.OneNode(new NodeName("n2"), "gate:7450"));
  }

  /** As that of a bridge which all nodes have. */
  @Test
  void ofManyNodesThatClaimAnAddressSomeAreNamed() {
    for (int i = 0; i < 3 * Owner.Disputed.MOST; i++) {
      connect("n" + i, BOOT, 1, "10.0.0." + i, "10.88.0.1");
      awaitOwner("10.0.0." + i, new Owner.OneNode(new NodeName("n" + i), "gate:7450"));
    }
    var disputed = assertInstanceOf(Owner.Disputed.class, there().ownerOf(address("10.88.0.1")));
    assertEquals(Owner.Disputed.MOST, disputed.nodes().size());
  }

  @Test
  void aReportedAddressBelongsToTheOnlyNodeThatReportsIt() {
    report("n1", BOOT, Set.of("10.1.0.1"), Set.of());
    awaitOwner("10.1.0.1", new Owner.OneNode(new NodeName("n1"), "gate:7450"));
    report("n2", NEXT_BOOT, Set.of("10.1.0.1"), Set.of());
    awaitOwner("10.1.0.1", new Owner.Disputed(Set.of(new NodeName("n1"), new NodeName("n2"))));
    report("n1", BOOT, Set.of(), Set.of());
    awaitOwner("10.1.0.1", new Owner.OneNode(new NodeName("n2"), "gate:7450"));
  }

  @Test
  void aListedAddressIsNoOtherNodesAlsoWhileItsNodeIsLostOrDoesNotHaveIt() {
    connect("n1", BOOT, 1, "10.0.0.1");
    pass(LEASE.dividedBy(2).plusSeconds(1));
    report("n2", NEXT_BOOT, Set.of("10.0.0.1", "10.0.0.2"), Set.of());
    awaitOwner("10.0.0.2", new Owner.OneNode(new NodeName("n2"), "gate:7450"));
    assertEquals(
        new Owner.OneNode(new NodeName("n1"), "gate:7450"), there().ownerOf(address("10.0.0.1")));
    pass(LEASE.dividedBy(2));
    awaitLost("n1");
    awaitOwner("10.0.0.1", new Owner.Nobody());
    report("n1", BOOT, Set.of(), Set.of("10.0.0.1", "10.0.0.2"));
    awaitOwner("10.0.0.2", new Owner.Nobody());
    assertEquals(new Owner.Nobody(), there().ownerOf(address("10.0.0.1")));
    connect("n1", BOOT, 1, "10.0.0.1");
    awaitOwner("10.0.0.2", new Owner.OneNode(new NodeName("n2"), "gate:7450"));
  }

  private void report(String node, String boot, Set<String> reported, Set<String> reserved) {
    NodeDescription said = said(node, boot, 1);
    registration(
        here()
            .connect(
                new NodeDescription(
                    said.epoch(),
                    Set.of(),
                    said.gateway(),
                    said.version(),
                    said.callSource(),
                    reported.stream().map(RollContract::address).collect(Collectors.toSet()),
                    reserved.stream().map(RollContract::address).collect(Collectors.toSet()),
                    said.certificateEnds()),
                LEASE));
  }

  @Test
  void aLaterRunReplacesAnEarlierOne() {
    Registration first = connect("n1", BOOT, 1);
    connect("n1", BOOT, 2);
    var replaced = assertInstanceOf(Standing.Replaced.class, there().renew(first, LEASE));
    assertEquals(2, replaced.by().number());
    assertEquals("gate:7450", replaced.gateway());
  }

  @Test
  void anEarlierRunCannotComeBack() {
    Registration second = connect("n1", BOOT, 2);
    assertInstanceOf(Standing.Replaced.class, there().connect(said("n1", BOOT, 1), LEASE));
    assertEquals(new Standing.Connected(second), here().renew(second, LEASE));
  }

  @Test
  void aNewBootReplacesWhateverItsNumberAndTheOldBootCannotComeBack() {
    connect("n1", BOOT, 7);
    Registration rebooted = connect("n1", NEXT_BOOT, 1);
    assertInstanceOf(Standing.Replaced.class, there().connect(said("n1", BOOT, 8), LEASE));
    assertEquals(new Standing.Connected(rebooted), there().renew(rebooted, LEASE));
  }

  /** What a run that is gone said of itself keeps no other out, be it a lie. */
  @ParameterizedTest
  @CsvSource({NEXT_BOOT + ",1", BOOT + ",9223372036854775807"})
  void anEarlierRunMayComeBackWhenTheLaterIsLost(String boot, long number) {
    Registration first = connect("n1", BOOT, 7);
    here().enterJob(first, job(1), "alice", List.of(), NOW);
    connect("n1", boot, number);
    assertInstanceOf(Standing.Replaced.class, there().connect(said("n1", BOOT, 7), LEASE));
    pass(LEASE.plusSeconds(1));
    awaitLost("n1");
    Registration back = registration(there().connect(said("n1", BOOT, 7), LEASE));
    assertTrue(back.number() > first.number());
    here().enterJob(back, job(2), "alice", List.of(), NOW);
    here().complete(back);
    assertEquals(List.of(job(2)), jobsAt(there()));
    assertEquals(new Standing.Connected(back), there().renew(back, LEASE));
    assertInstanceOf(Standing.Connected.class, there().connect(said("n1", BOOT, 8), LEASE));
  }

  @Test
  void anotherStreamOfTheSameRunReplacesTheFirst() {
    Registration first = connect("n1", BOOT, 1);
    Registration second = registration(there().connect(said("n1", BOOT, 1), LEASE));
    assertInstanceOf(Standing.Replaced.class, here().renew(first, LEASE));
    assertEquals(new Standing.Connected(second), here().renew(second, LEASE));
  }

  @Test
  void aRegistrationThatNobodyBeganIsLost() {
    var never = new Registration(epoch("n9", BOOT, 1), 1);
    assertEquals(new Standing.Lost(), here().renew(never, LEASE));
    here().enterJob(never, job(1), "alice", List.of(), NOW);
    here().enterCalls(never, List.of(call("n9", 1, 40001)), KEEP);
    assertEquals(List.of(), there().jobs());
    assertEquals(Optional.empty(), caller(there(), connection(40001)));
  }

  @Test
  void statementsOfAReplacedRegistrationAreIgnored() {
    Registration old = connect("n1", BOOT, 1);
    Registration now = registration(there().connect(said("n1", BOOT, 2), LEASE));
    there().enterJob(now, job(7), "alice", List.of(), NOW);
    there().enterCalls(now, List.of(call("n1", 7, 40001)), KEEP);

    here().enterJob(old, job(1), "alice", List.of(), NOW);
    here().enterJob(old, job(7).in(JobState.CLOSING), "alice", List.of(), NOW);
    here().enterCalls(old, List.of(call("n1", 1, 40001)), KEEP);
    here().enterCalls(old, List.of(call("n1", 1, 40002)), KEEP);
    here().strikeJob(old, new JobId(7));
    here().strikeCalls(old);
    here().complete(old);

    assertEquals(List.of(job(7)), jobsAt(there()));
    assertEquals(Optional.of(call("n1", 7, 40001).caller()), caller(there(), connection(40001)));
    assertEquals(Optional.empty(), caller(there(), connection(40002)));
  }

  @Test
  void aHalfToldStateLosesNoJob() {
    Registration old = connect("n1", BOOT, 1);
    here().enterJob(old, job(1), "alice", List.of(), NOW);
    here().enterJob(old, job(2), "alice", List.of(), NOW);
    Registration now = registration(there().connect(said("n1", BOOT, 2), LEASE));
    there().enterJob(now, job(2), "alice", List.of(), NOW);
    assertEquals(List.of(job(1), job(2)), jobsAt(here()));
  }

  @Test
  void theFullStateReplacesWhatOtherRunsTold() {
    Registration old = connect("n1", BOOT, 1);
    here().enterJob(old, job(1), "alice", List.of(), NOW);
    here().enterJob(old, job(2), "alice", List.of(), NOW);
    here().enterCalls(old, List.of(call("n1", 1, 40001)), KEEP);
    Registration now = registration(there().connect(said("n1", BOOT, 2), LEASE));
    there().enterJob(now, job(2), "alice", List.of(), NOW);
    there().enterCalls(now, List.of(call("n1", 2, 40002)), KEEP);
    there().complete(now);
    assertEquals(List.of(job(2)), jobsAt(here()));
    assertEquals(Optional.empty(), caller(here(), connection(40001)));
    assertEquals(Optional.of(call("n1", 2, 40002).caller()), caller(here(), connection(40002)));
  }

  @Test
  void aStreamThatMovedForgetsEndedJobs() {
    Registration first = connect("n1", BOOT, 1);
    here().enterJob(first, job(1), "alice", List.of(), NOW);
    Registration second = registration(there().connect(said("n1", BOOT, 1), LEASE));
    there().complete(second);
    assertEquals(List.of(), jobsAt(here()));
  }

  /** A later one of the same ends may have been lost with the stream. */
  @ParameterizedTest
  @CsvSource({BOOT + ",1", BOOT + ",2", NEXT_BOOT + ",1"})
  void callsOfAnEarlierStreamDoNotCountFromTheNextOneOn(String boot, long number) {
    Registration first = connect("n1", BOOT, 1);
    here().enterCalls(first, List.of(call("n1", 1, 40001), call("n1", 1, 40002)), KEEP);
    assertTrue(caller(there(), connection(40001)).isPresent());
    Registration second = registration(there().connect(said("n1", boot, number), LEASE));
    assertEquals(Optional.empty(), caller(there(), connection(40001)));
    Await.until("both have heard", () -> caller(here(), connection(40001)).isEmpty());
    assertEquals(List.of(false, true), List.of(here().isOpen(first), there().isOpen(second)));
    here().enterCalls(first, List.of(call("n1", 1, 40001)), KEEP);
    here().strikeCall(first, connection(40002));
    there().enterCalls(second, List.of(call("n1", 2, 40002)), KEEP);
    there().complete(second);
    for (Roll roll : List.of(here(), there())) {
      assertEquals(Optional.empty(), caller(roll, connection(40001)));
      assertEquals(Optional.of(call("n1", 2, 40002).caller()), caller(roll, connection(40002)));
    }
  }

  @Test
  void callsOfAStreamThatEndedDoNotCountAndItsJobsStay() {
    Registration first = connect("n1", BOOT, 1, "10.0.0.1");
    Registration other = connect("n2", NEXT_BOOT, 1);
    here().enterJob(first, job(1), "alice", List.of(), NOW);
    here().enterCalls(first, List.of(call("n1", 1, 40001)), KEEP);
    here().enterCalls(other, List.of(call("n2", 2, 40002)), KEEP);
    assertTrue(here().isOpen(first));
    here().disconnected(first, LEASE);
    assertEquals(false, here().isOpen(first));
    assertEquals(Optional.empty(), caller(here(), connection(40001)));
    Await.until("both have heard", () -> caller(there(), connection(40001)).isEmpty());
    here().enterCalls(first, List.of(call("n1", 1, 40003)), KEEP); // which waited for the roll
    assertEquals(Optional.empty(), caller(there(), connection(40003)));
    assertTrue(caller(there(), connection(40002)).isPresent());
    assertEquals(List.of(job(1)), jobsAt(there()));
    awaitOwner("10.0.0.1", new Owner.OneNode(new NodeName("n1"), "gate:7450"));
  }

  @Test
  void aCallThatItsNodeReplacedIsNotAnsweredWhateverIsLost() {
    int sequences = Counts.of("sequences of lost announcements", 3, 100);
    for (int seed = 1; seed <= sequences; seed++) {
      new LostAnnouncements(seed, here(), there(), () -> pass(Duration.ZERO)).play(120);
    }
  }

  @Test
  void theEndOfAnEarlierStreamChangesNothing() {
    Registration first = connect("n1", BOOT, 1);
    Registration second = registration(there().connect(said("n1", BOOT, 1), LEASE));
    there().enterCalls(second, List.of(call("n1", 1, 40001)), KEEP);
    here().disconnected(first, Duration.ofSeconds(1));
    pass(Duration.ofSeconds(2));
    assertEquals(List.of(), there().expire());
    assertTrue(caller(there(), connection(40001)).isPresent());
  }

  /** The later call with the same ends was not reported, as while a break is not noticed. */
  @Test
  void aCallThatIsOlderThanTheConnectionIsNotAnswered() {
    Registration registration = connect("n1", BOOT, 1);
    here().enterCalls(registration, List.of(call("n1", 1, 40001)), KEEP);
    Duration younger = Duration.ofSeconds(-1);
    for (Roll roll : List.of(here(), there())) {
      assertTrue(caller(roll, connection(40001), KEEP).isPresent());
      assertEquals(Optional.empty(), caller(roll, connection(40001), younger));
    }
    pass(Duration.ofSeconds(3));
    assertEquals(Optional.empty(), caller(there(), connection(40001), Duration.ofSeconds(2)));
    assertTrue(caller(there(), connection(40001), Duration.ofSeconds(4)).isPresent());
  }

  @Test
  void completingTouchesNoOtherNode() {
    Registration other = connect("n2", BOOT, 1);
    here().enterJob(other, job(5), "alice", List.of(), NOW);
    here().enterCalls(other, List.of(call("n2", 5, 40005)), KEEP);
    connect("n1", BOOT, 1);
    here().complete(connect("n1", BOOT, 2));
    assertEquals(List.of(job(5)), jobsAt(there()));
    assertEquals(Optional.of(call("n2", 5, 40005).caller()), caller(there(), connection(40005)));
  }

  @Test
  void aNodeWhoseLeaseEndsLosesItsCallsAndKeepsItsJobsStale() {
    Registration registration = connect("n1", BOOT, 1, "10.0.0.1");
    here().enterJob(registration, job(1), "alice", List.of(), NOW);
    here().enterCalls(registration, List.of(call("n1", 1, 40001)), KEEP);
    pass(LEASE.plusSeconds(1));
    awaitLost("n1");
    assertEquals(Optional.empty(), caller(there(), connection(40001)));
    assertEquals(Optional.empty(), caller(here(), connection(40001)));
    assertEquals(List.of(true), there().jobs().stream().map(JobEntry::stale).toList());
    assertEquals(true, node("n1").lost());
    assertEquals(1, node("n1").jobs());
    assertEquals(new Standing.Lost(), here().renew(registration, LEASE));
    awaitOwner("10.0.0.1", new Owner.Nobody());
  }

  @Test
  void aRenewedLeaseDoesNotEnd() {
    Registration registration = connect("n1", BOOT, 1);
    for (int i = 0; i < 3; i++) {
      pass(LEASE.minusSeconds(1));
      here().renew(registration, LEASE);
      assertEquals(List.of(), there().expire());
    }
  }

  @Test
  void aLostNodesStatementsAreIgnoredUntilItConnectsAgain() {
    Registration registration = connect("n1", BOOT, 1);
    pass(LEASE.plusSeconds(1));
    awaitLost("n1");
    here().enterJob(registration, job(1), "alice", List.of(), NOW);
    here().enterCalls(registration, List.of(call("n1", 1, 40001)), KEEP);
    assertEquals(List.of(), jobsAt(there()));
    assertEquals(Optional.empty(), caller(there(), connection(40001)));
  }

  @Test
  void aNodeThatComesBackUnstalesTheJobsItTellsAndLosesTheOthers() {
    Registration registration = connect("n1", BOOT, 1);
    here().enterJob(registration, job(1), "alice", List.of(), NOW);
    here().enterJob(registration, job(2), "alice", List.of(), NOW);
    pass(LEASE.plusSeconds(1));
    awaitLost("n1");
    Registration back = connect("n1", BOOT, 1);
    here().enterJob(back, job(2), "alice", List.of(), NOW);
    assertEquals(List.of(job(1)), staleAt(there()));
    here().complete(back);
    assertEquals(List.of(job(2)), jobsAt(there()));
    assertEquals(List.of(), staleAt(there()));
    assertEquals(false, node("n1").lost());
  }

  @Test
  void aLossIsToldToExactlyOne() throws Exception {
    connect("n1", BOOT, 1);
    connect("n2", BOOT, 1);
    pass(LEASE.plusSeconds(1));
    List<NodeName> told = Collections.synchronizedList(new ArrayList<>());
    both(() -> told.addAll(here().expire()), () -> told.addAll(there().expire()));
    Await.until(
        "both nodes are lost",
        () -> {
          told.addAll(here().expire());
          told.addAll(there().expire());
          return told.size() >= 2;
        });
    told.addAll(here().expire());
    told.addAll(there().expire());
    assertEquals(List.of("n1", "n2"), told.stream().map(NodeName::text).sorted().toList());
  }

  @Test
  void callsLeaveByThemselves() {
    Registration registration = connect("n1", BOOT, 1);
    here().enterCalls(registration, List.of(call("n1", 1, 40001)), Duration.ofSeconds(1));
    here().enterCalls(registration, List.of(call("n1", 1, 40002)), KEEP);
    pass(Duration.ofSeconds(1));
    Await.until("the call leaves", () -> caller(there(), connection(40001)).isEmpty());
    assertTrue(caller(there(), connection(40002)).isPresent());
  }

  @Test
  void strikingCallsForgetsThatNodesOnly() {
    Registration one = connect("n1", BOOT, 1);
    Registration two = connect("n2", BOOT, 1);
    here().enterCalls(one, List.of(call("n1", 1, 40001)), KEEP);
    here().enterCalls(two, List.of(call("n2", 2, 40002)), KEEP);
    here().strikeCalls(one);
    assertEquals(Optional.empty(), caller(there(), connection(40001)));
    assertTrue(caller(there(), connection(40002)).isPresent());
  }

  @Test
  void strikingACallForgetsThatOneAlone() {
    Registration one = connect("n1", BOOT, 1);
    here().enterCalls(one, List.of(call("n1", 1, 40001)), KEEP);
    here().enterCalls(one, List.of(call("n1", 2, 40002)), KEEP);
    there().strikeCall(one, connection(40001));
    there().strikeCall(one, connection(40003)); // which nobody entered
    assertEquals(Optional.empty(), caller(here(), connection(40001)));
    assertTrue(caller(here(), connection(40002)).isPresent());
  }

  @Test
  void aCallIsStruckByItsOwnNodesPresentRegistrationOnly() {
    Registration old = connect("n1", BOOT, 1);
    Registration other = connect("n2", BOOT, 1);
    here().enterCalls(old, List.of(call("n1", 1, 40001)), KEEP);
    there().strikeCall(other, connection(40001));
    assertTrue(caller(here(), connection(40001)).isPresent());

    Registration now = connect("n1", BOOT, 2);
    here().enterCalls(now, List.of(call("n1", 2, 40001)), KEEP);
    there().strikeCall(old, connection(40001));
    assertTrue(caller(here(), connection(40001)).isPresent());
    there().strikeCall(now, connection(40001));
    assertEquals(Optional.empty(), caller(here(), connection(40001)));
  }

  @Test
  void ofOneTellingTheLaterCallOfAPortWins() {
    Registration registration = connect("n1", BOOT, 1);
    here()
        .enterCalls(
            registration,
            List.of(call("n1", 1, 40001), call("n1", 2, 40002), call("n1", 3, 40001)),
            KEEP);
    assertEquals(Optional.of(call("n1", 3, 40001).caller()), caller(there(), connection(40001)));
    assertEquals(Optional.of(call("n1", 2, 40002).caller()), caller(there(), connection(40002)));
  }

  @Test
  void aPortThatIsUsedAgainMeansItsLaterCall() {
    Registration registration = connect("n1", BOOT, 1);
    here().enterCalls(registration, List.of(call("n1", 1, 40001)), KEEP);
    here().enterCalls(registration, List.of(call("n1", 2, 40001)), KEEP);
    assertEquals(Optional.of(call("n1", 2, 40001).caller()), caller(there(), connection(40001)));
  }

  @Test
  void aCallIsFoundByItsOwnProtocolFamilyAndDirectionOnly() {
    Registration registration = connect("n1", BOOT, 1);
    Connection v6 =
        Connection.tcp(Endpoint.parse("[fd77::1]:40001"), Endpoint.parse("[fd77::2]:22"));
    Caller shell =
        new Caller(
            "c",
            registration.node(),
            new Membership.NoJob(),
            1000,
            new ProcessRef(9, 99),
            NOW,
            Optional.of(new JobId(42)));
    here().enterCalls(registration, List.of(new Call(v6, shell)), KEEP);
    here().enterCalls(registration, List.of(call("n1", 1, 40001)), KEEP);
    assertEquals(Optional.of(shell), caller(there(), v6));
    assertEquals(Optional.of(call("n1", 1, 40001).caller()), caller(there(), connection(40001)));
    assertEquals(Optional.empty(), caller(there(), v6.flipped()));
    assertEquals(
        Optional.empty(), caller(there(), new Connection(Protocol.UDP, v6.local(), v6.remote())));
  }

  @Test
  void aJobKeepsTheLastProcessesItWasToldWith() {
    Registration registration = connect("n1", BOOT, 1);
    var one = new JobProcess(new ProcessRef(100, 5000), StepId.EXTERN, "sshd");
    var two = new JobProcess(new ProcessRef(101, 5001), StepId.of(0), "");
    here().enterJob(registration, job(1), "alice", List.of(one), NOW);
    here()
        .enterJob(
            registration,
            job(1).in(JobState.CLOSING),
            "alice",
            List.of(one, two),
            NOW.plusSeconds(1));
    var expected =
        new JobEntry(
            registration.epoch(), job(1).in(JobState.CLOSING), "alice", NOW.plusSeconds(1), false);
    assertEquals(List.of(expected), there().jobs());
    assertEquals(List.of(one, two), there().processes(registration.node(), new JobId(1)));
    assertEquals(List.of(), there().processes(registration.node(), new JobId(2)));
    assertEquals(1, node("n1").jobs());
  }

  @Test
  void processesAreFoundByNodeAndPid() {
    Registration registration = connect("n1", BOOT, 1);
    Registration other = connect("n2", NEXT_BOOT, 1);
    var one = new JobProcess(new ProcessRef(100, 5000), StepId.EXTERN, "");
    var two = new JobProcess(new ProcessRef(101, 5001), StepId.of(0), "");
    here().enterJob(registration, job(1), "alice", List.of(one, two), NOW);
    here().enterJob(registration, job(2), "alice", List.of(), NOW);
    here().enterJob(other, job(3), "alice", List.of(two), NOW.plusSeconds(1));
    var n1 = new NodeName("n1");
    var n2 = new NodeName("n2");
    var found =
        there()
            .processesByPid(
                Map.of(n1, Set.of(101, 4), n2, Set.of(100, 101), new NodeName("n3"), Set.of(1)));
    assertEquals(Set.of(n1, n2), found.keySet());
    assertEquals(List.of(new Roll.ProcessEntry(job(1), two, NOW, false)), entry(found, n1).found());
    assertEquals(2, entry(found, n1).jobs());
    assertEquals(
        List.of(new Roll.ProcessEntry(job(3), two, NOW.plusSeconds(1), false)),
        entry(found, n2).found());
  }

  @Test
  void processesOfALostNodeAreStale() {
    Registration registration = connect("n1", BOOT, 1);
    var one = new JobProcess(new ProcessRef(100, 5000), StepId.EXTERN, "");
    here().enterJob(registration, job(1), "alice", List.of(one), NOW);
    var n1 = new NodeName("n1");
    assertEquals(false, entry(there().processesByPid(Map.of(n1, Set.of(100))), n1).complete());
    here().complete(registration);
    Await.until(
        "the full state is there",
        () -> entry(there().processesByPid(Map.of(n1, Set.of(100))), n1).complete());
    pass(LEASE.plusSeconds(1));
    awaitLost("n1");
    Await.until(
        "the loss is there",
        () -> entry(there().processesByPid(Map.of(n1, Set.of(100))), n1).lost());
    assertEquals(
        List.of(new Roll.ProcessEntry(job(1), one, NOW, true)),
        entry(there().processesByPid(Map.of(n1, Set.of(100))), n1).found());
  }

  private static Roll.NodeProcesses entry(Map<NodeName, Roll.NodeProcesses> found, NodeName node) {
    return Objects.requireNonNull(found.get(node), "node " + node + " is absent");
  }

  /** What is told of one job is what the list of all jobs tells. */
  @Test
  void oneJobOfALostNodeIsStaleAndOneBelowTheFloorIsGone() {
    Registration first = connect("n1", BOOT, 1);
    here().enterJob(first, job(1), "alice", List.of(), NOW);
    Registration second = connect("n1", BOOT, 1);
    here().enterJob(second, job(2), "alice", List.of(), NOW);
    here().complete(second);
    assertEquals(List.of(), there().job(new JobId(1)));
    pass(LEASE.plusSeconds(1));
    awaitLost("n1");
    Await.until("it is stale", () -> there().job(new JobId(2)).stream().allMatch(JobEntry::stale));
    assertEquals(there().jobs(), there().job(new JobId(2)));
  }

  @Test
  void aNodeIsPresentAtItsGatewayUntilItIsLost() {
    var n1 = new NodeName("n1");
    assertEquals(new Presence.Unknown(), there().presence(n1));
    assertEquals(List.of(), there().connected());
    connect("n1", BOOT, 1);
    var at = new Owner.OneNode(n1, "gate:7450");
    Await.until("it is there", () -> there().presence(n1).equals(new Presence.Connected(at)));
    assertEquals(List.of(at), there().connected());
    pass(LEASE.plusSeconds(1));
    awaitLost("n1");
    Await.until("it is lost", () -> there().presence(n1).equals(new Presence.Lost()));
    assertEquals(List.of(), there().connected());
  }

  @Test
  void aJobHasTheNameThatItsOwnNodeSent() {
    Registration one = connect("n1", BOOT, 1);
    Registration two = connect("n2", BOOT, 1);
    here().enterJob(one, job(1), "root", List.of(), NOW);
    here().enterJob(two, job(2), "alice", List.of(), NOW);
    here().enterJob(one, job(3), "", List.of(), NOW);
    assertEquals(
        Map.of(1L, "root", 2L, "alice", 3L, ""),
        there().jobs().stream()
            .collect(Collectors.toMap(entry -> entry.job().id().number(), JobEntry::user)));
  }

  @Test
  void oneJobOnTwoNodesIsTwoEntries() {
    Registration one = connect("n1", BOOT, 1);
    Registration two = connect("n2", BOOT, 1);
    here().enterJob(one, job(1), "alice", List.of(), NOW);
    here().enterJob(two, job(1), "alice", List.of(), NOW);
    here().enterJob(two, job(2), "alice", List.of(), NOW);
    assertEquals(
        Set.of(one.epoch(), two.epoch()),
        there().job(new JobId(1)).stream().map(JobEntry::epoch).collect(Collectors.toSet()));
    here().strikeJob(one, new JobId(1));
    here().strikeJob(two, new JobId(2));
    assertEquals(there().jobs(), there().job(new JobId(1)));
    assertEquals(List.of(), there().job(new JobId(2)));
    assertEquals(List.of(two.epoch()), there().jobs().stream().map(JobEntry::epoch).toList());
  }

  @Test
  void ofTwoRegistrationsAtOnceExactlyOneHolds() throws Exception {
    for (int i = 0; i < 20; i++) {
      String name = "race" + i;
      var first = new CompletableFuture<Standing>();
      var second = new CompletableFuture<Standing>();
      both(
          () -> first.complete(here().connect(said(name, BOOT, 1), LEASE)),
          () -> second.complete(there().connect(said(name, BOOT, 1), LEASE)));
      long holding =
          List.of(first.join(), second.join()).stream()
              .map(standing -> here().renew(registration(standing), LEASE))
              .filter(Standing.Connected.class::isInstance)
              .count();
      assertEquals(1, holding, name);
    }
  }

  /** Returns when both have heard of it: a call of a node that is not known does not count. */
  private Registration connect(String node, String boot, long number, String... addresses) {
    Registration connected =
        registration(here().connect(said(node, boot, number, addresses), LEASE));
    pass(Duration.ZERO);
    return connected;
  }

  private static Registration registration(Standing standing) {
    return assertInstanceOf(Standing.Connected.class, standing).registration();
  }

  private NodeEntry node(String name) {
    return there().nodes().stream()
        .filter(n -> n.description().epoch().node().text().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private void awaitOwner(String address, Owner owner) {
    Await.until(address + " has " + owner, () -> there().ownerOf(address(address)).equals(owner));
  }

  private void awaitLost(String node) {
    List<NodeName> lost = new ArrayList<>();
    Await.until(
        node + " is lost",
        () -> {
          lost.addAll(there().expire());
          return !lost.isEmpty();
        });
    assertEquals(List.of(new NodeName(node)), lost);
  }

  private static List<Job> jobsAt(Roll roll) {
    return roll.jobs().stream().map(JobEntry::job).sorted(Job.OLDEST_FIRST).toList();
  }

  private static List<Job> staleAt(Roll roll) {
    return roll.jobs().stream()
        .filter(JobEntry::stale)
        .map(JobEntry::job)
        .sorted(Job.OLDEST_FIRST)
        .toList();
  }

  private static void both(Runnable one, Runnable two) throws InterruptedException {
    var first = Thread.ofPlatform().start(one);
    two.run();
    assertTrue(first.join(Duration.ofSeconds(20)), "the other thread has ended");
  }

  /** What a node of this name says when it connects. */
  protected static NodeDescription said(
      String node, String boot, long number, String... addresses) {
    Set<InetAddress> set = Set.copyOf(Arrays.stream(addresses).map(RollContract::address).toList());
    return new NodeDescription(epoch(node, boot, number), set, "gate:7450", "0.1.0", "sock_ops")
        .until(Instant.ofEpochSecond(1_800_000_000));
  }

  private static NodeEpoch epoch(String node, String boot, long number) {
    return new NodeEpoch(new NodeName(node), boot, number);
  }

  private static InetAddress address(String literal) {
    return InetAddress.ofLiteral(literal);
  }

  /** An open job of uid 1000. */
  protected static Job job(long id) {
    var label = new JobLabel("62_" + id, "job " + id);
    return new Job(new JobId(id), 1000, 100, NOW, JobState.OPEN, label);
  }

  /** A call of a job's extern step to port 22. */
  protected static Call call(String node, long job, int port) {
    var step = new JobStep(new JobId(job), StepId.EXTERN);
    var process = new ProcessRef(4000 + (int) job, 123_456);
    return new Call(
        connection(port),
        new Caller("cluster", new NodeName(node), new Membership.InJob(step), 1000, process, NOW));
  }

  /** From this port of 10.0.0.1 to ssh on 10.0.0.2. */
  protected static Connection connection(int port) {
    return Connection.tcp(new Endpoint(address("10.0.0.1"), port), Endpoint.parse("10.0.0.2:22"));
  }
}
