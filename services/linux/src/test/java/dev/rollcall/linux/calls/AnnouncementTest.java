package dev.rollcall.linux.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.ClusterPrefixes;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Prefix;
import dev.rollcall.model.SeenCall;
import dev.rollcall.port.CallSource.Sighting;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("root")
@Timeout(120)
class AnnouncementTest {
  private static final int PORT = 2222;
  private static final int OTHER_PORT = 2223;
  private static final Duration QUIET = Duration.ofMillis(400);
  private static final Duration ARRIVALS = Duration.ofMillis(700);

  private final HeardCalls heard = new HeardCalls();
  private CallRig rig;

  @BeforeEach
  void raise(@TempDir Path directory) throws Exception {
    rig = new CallRig(directory);
  }

  @AfterEach
  void end() throws Exception {
    rig.close();
  }

  @Test
  void aCallToAnAnnouncedPortIsToldAsItIsRecorded() throws Exception {
    try (SockOpsCalls source = SockOpsCalls.open(rig.config(Set.of(PORT)))) {
      source.announce(heard);
      Caller caller = rig.caller("4711");
      rig.caller().listenAt(CallRig.V6, PORT);

      Connection call = caller.connect(CallRig.V6, PORT);

      SeenCall told = heard.next();
      SeenCall found = assertInstanceOf(Sighting.Seen.class, source.find(call)).call();
      assertEquals(call, told.connection());
      assertEquals(found.process(), told.process());
      assertEquals(found.cgroups(), told.cgroups());
      assertEquals(4711, told.uid());
      assertTrue(Duration.between(told.at(), found.at()).abs().toMillis() < 50, "one time");
    }
  }

  @Test
  void otherPortsAndOtherPrefixesAreNotTold() throws Exception {
    CallSourceConfig config =
        rig.config(Set.of(PORT), Set.of(CallRig.CLUSTER_V6), List.of(rig.trustedNetwork()));
    try (SockOpsCalls source = SockOpsCalls.open(config)) {
      source.announce(heard);
      Caller caller = rig.caller();
      caller.listenAt(CallRig.V6, OTHER_PORT);
      caller.listenAt(CallRig.V4, PORT);
      caller.listenAt(CallRig.V6, PORT);

      caller.connect(CallRig.V6, OTHER_PORT);
      caller.connect(CallRig.V4, PORT);
      Connection told = caller.connect(CallRig.V6, PORT);

      // The ring is in order: this one comes first, so the others do not come.
      assertEquals(told, heard.next().connection());
    }
  }

  @Test
  void prefixesThatAreNamedWhileItRunsAreToldFromThenOn() throws Exception {
    CallSourceConfig config = rig.config(Set.of(PORT), Set.of(), List.of(rig.trustedNetwork()));
    try (SockOpsCalls source = SockOpsCalls.open(config)) {
      source.announce(heard);
      Caller caller = rig.caller();
      caller.listenAt(CallRig.V4, PORT);
      caller.listenAt(CallRig.V4, OTHER_PORT);

      Connection before = caller.connect(CallRig.V4, PORT);
      assertTrue(source.leavesOut(before), "it is not pushed, and says so");
      source.pushTo(new ClusterPrefixes(Set.of(CallRig.CLUSTER_V4)));
      Connection told = caller.connect(CallRig.V4, PORT);

      // The ring is in order: the one before was not told.
      assertEquals(told, heard.next().connection());
      assertFalse(source.leavesOut(told));
      assertFalse(source.leavesOut(caller.connect(CallRig.V4, OTHER_PORT)), "no tracked port");
    }
  }

  @Test
  void loopbackIsNotToldWhateverThePrefixes() throws Exception {
    Set<Prefix> everything = Set.of(Prefix.parse("0.0.0.0/0"), Prefix.parse("::/0"));
    CallSourceConfig config = rig.config(Set.of(PORT), everything, List.of(rig.trustedNetwork()));
    try (SockOpsCalls source = SockOpsCalls.open(config)) {
      source.announce(heard);
      Caller caller = rig.caller();
      for (String address : List.of("127.0.0.1", "::1", CallRig.V4)) {
        caller.listenAt(address, PORT);
      }

      caller.connect("127.0.0.1", PORT);
      caller.connect("::1", PORT);
      Connection told = caller.connect(CallRig.V4, PORT);

      assertEquals(told, heard.next().connection());
    }
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> rig.config(Set.of(), Set.of(Prefix.parse("127.1.0.0/16")), List.of()));
    assertTrue(String.valueOf(e.getMessage()).contains("127.1.0.0/16"), e.getMessage());
  }

  /** Between two that are told there is a pause, so of these ten there are at most a few. */
  @Test
  void thatSomebodyCallsThisNodeIsToldOnceForMany() throws Exception {
    try (var _ = open(256, Duration.ofMillis(10))) {
      Caller caller = rig.caller();
      caller.listenAt(CallRig.V4, OTHER_PORT);
      caller.listenAt(CallRig.V4, PORT);

      caller.connect(CallRig.V4, OTHER_PORT);
      long begun = System.nanoTime();
      for (int i = 0; i < 10; i++) {
        caller.connect(CallRig.V4, PORT);
        heard.next();
      }
      long first = heard.nextArrival();
      Duration took = Duration.ofNanos(System.nanoTime() - begun);
      assertTrue(first - begun > 0, "the other port's connection is told");
      assertTrue(
          heard.arrivals.size() <= took.dividedBy(ARRIVALS), took + ": " + heard.arrivals.size());

      LockSupport.parkNanos(ARRIVALS.toNanos());
      caller.connect(CallRig.V4, PORT);
      heard.nextArrival();
    }
  }

  private SockOpsCalls open(int burst, Duration interval) throws IOException {
    var limits = new CallLimits(4096, 1 << 16, new PushRate(burst, interval), QUIET, ARRIVALS);
    SockOpsCalls source = SockOpsCalls.open(rig.config(Set.of(PORT)), limits, ProgramVariant.ALL);
    source.announce(heard);
    return source;
  }

  @Test
  void aFloodOfOneUserIsCutAndCountedAndOthersAreTold() throws Exception {
    int burst = 20;
    int calls = 200;
    try (SockOpsCalls source = open(burst, Duration.ofSeconds(2))) {
      rig.caller().listenAt(CallRig.V4, PORT);
      Caller flooder = rig.caller("4711");
      Caller other = rig.caller("4712");

      List<Connection> flood = flooder.flood(CallRig.V4, PORT, calls);
      Connection others = other.connect(CallRig.V4, PORT);

      int told = 0;
      SeenCall next = heard.next();
      for (; next.uid() == 4711; next = heard.next()) {
        told++;
      }
      assertEquals(others, next.connection());
      assertTrue(told >= burst && told < burst + 10, told + " told of a burst of " + burst);
      assertEquals(calls - told, source.withheld());
      // All of these calls have ends of their own: what was told of any stays true.
      assertEquals(0, heard.withdrawn.size());
      assertEquals(0, heard.lost.get());
      for (Connection call : flood) {
        assertInstanceOf(Sighting.Seen.class, source.find(call), call.toString());
      }
    }
  }

  @Test
  void portsWithTheirOwnRateTakeNothingFromTheCommonOne() throws Exception {
    try (SockOpsCalls source = SockOpsCalls.open(rig.tracking("2222", "5000-5001 2/s"))) {
      source.announce(heard);
      Caller caller = rig.caller("4711");
      for (int port : List.of(PORT, 5000, 5001)) {
        caller.listenAt(CallRig.V4, port);
      }

      caller.flood(CallRig.V4, 5000, 30);
      caller.flood(CallRig.V4, 5001, 30);
      Connection login = caller.connect(CallRig.V4, PORT);

      int told = 0;
      while (!heard.next().connection().equals(login)) {
        told++;
      }
      // 16 seconds' worth at once for both ports together; the flood takes a few seconds at most.
      assertTrue(told >= 32 && told < 45, told + " told");
      assertEquals(60 - told, source.withheld());
    }
  }

  @Test
  void aHigherRateTellsMoreThanTheCommonOne() throws Exception {
    try (SockOpsCalls source = SockOpsCalls.open(rig.tracking("2222", "5000 50/s"))) {
      source.announce(heard);
      Caller caller = rig.caller("4711");
      caller.listenAt(CallRig.V4, 5000);

      List<Connection> calls = caller.flood(CallRig.V4, 5000, 600);

      for (Connection call : calls) {
        assertEquals(call, heard.next().connection());
      }
      assertEquals(0, source.withheld());
    }
  }

  /** The bucket is full again after a millisecond; what counts is that the user was quiet. */
  @Test
  void whoeverIsOverTheRateIsToldAgainAfterAQuietWhile() throws Exception {
    int calls = 50;
    try (SockOpsCalls source = open(1, Duration.ofMillis(1))) {
      Caller caller = rig.caller();
      caller.listenAt(CallRig.V4, PORT);
      caller.flood(CallRig.V4, PORT, 20);
      long before = source.withheld();
      assertTrue(before > 0, "nothing withheld");
      for (int i = 0; i < calls; i++) {
        LockSupport.parkNanos(2_000_000);
        caller.connect(CallRig.V4, PORT);
      }
      long withheld = source.withheld();
      assertTrue(withheld - before > calls / 2, (withheld - before) + " withheld of " + calls);

      LockSupport.parkNanos(QUIET.plusMillis(10).toNanos());
      Connection later = caller.connect(CallRig.V4, PORT);
      assertEquals(withheld, source.withheld());
      SeenCall next = heard.next();
      while (!next.connection().equals(later)) {
        next = heard.next();
      }
    }
  }

  /** Else the far node would take the one who was announced for the one who calls. */
  @Test
  void endsThatAnotherUsersCallHadAreWithdrawn() throws Exception {
    try (SockOpsCalls source = open(10, Duration.ofSeconds(2))) {
      rig.caller().listenAt(CallRig.V4, PORT);
      Caller bob = rig.caller("4712");
      Caller alice = rig.caller("4711");
      Connection his = bob.connect(CallRig.V4, PORT);
      assertEquals(4712, heard.next().uid());
      bob.reset();
      alice.flood(CallRig.V4, PORT, 20);
      for (int told = 0; told < 10; told++) {
        assertEquals(4711, heard.next().uid());
      }

      Connection hers = alice.connectFrom(his.local().port(), CallRig.V4, PORT);

      assertEquals(his, hers);
      assertEquals(hers, heard.nextWithdrawn());
      assertEquals(0, heard.calls.size());
      assertEquals(0, heard.lost.get());
      assertEquals(11, source.withheld());
    }
  }

  @Test
  void endsThatTheUsersOwnCallHadAreWithdrawnOnce() throws Exception {
    try (SockOpsCalls source = open(2, Duration.ofSeconds(2))) {
      Caller caller = rig.caller("4711");
      rig.caller().listenAt(CallRig.V4, PORT);
      Connection first = caller.connect(CallRig.V4, PORT);
      assertEquals(first, heard.next().connection());
      caller.reset();
      caller.connect(CallRig.V4, PORT);
      heard.next();
      caller.connect(CallRig.V4, PORT); // over the rate, and of ends that nobody had
      assertEquals(0, heard.withdrawn.size());

      assertEquals(first, caller.connectFrom(first.local().port(), CallRig.V4, PORT));
      assertEquals(first, heard.nextWithdrawn());
      caller.reset();

      // It is not told of any more: there is nothing to withdraw.
      assertEquals(first, caller.connectFrom(first.local().port(), CallRig.V4, PORT));
      Caller other = rig.caller("4712");
      Connection after = other.connect(CallRig.V4, PORT);
      assertEquals(after, heard.next().connection());
      assertEquals(0, heard.withdrawn.size());
      assertEquals(0, heard.lost.get());
      assertEquals(3, source.withheld());
    }
  }

  /** Two users who give each other their ends have only what was told of each withdrawn. */
  @Test
  void endsThatGoToAndFroBetweenUsersAreWithdrawnNoMoreOftenThanTold() throws Exception {
    try (SockOpsCalls source = open(2, Duration.ofSeconds(2))) {
      rig.caller().listenAt(CallRig.V4, PORT);
      Caller bob = rig.caller("4712");
      Caller alice = rig.caller("4711");
      Connection call = bob.connect(CallRig.V4, PORT);
      for (int round = 0; round < 10; round++) {
        bob.reset();
        assertEquals(call, alice.connectFrom(call.local().port(), CallRig.V4, PORT));
        alice.reset();
        assertEquals(call, bob.connectFrom(call.local().port(), CallRig.V4, PORT));
      }
      assertEquals(call, heard.nextWithdrawn());
      Connection after = rig.caller("4713").connect(CallRig.V4, PORT);
      int told = 0;
      while (!heard.next().connection().equals(after)) {
        told++;
      }
      assertTrue(told <= 8, told + " told"); // two each, and what 20 calls take fills their buckets
      assertTrue(heard.withdrawn.size() < told, heard.withdrawn.size() + " withdrawn, too");
      assertEquals(0, heard.lost.get());
      assertTrue(source.withheld() >= 12, source.withheld() + " withheld");
    }
  }

  @Test
  void aFullRingLosesCallsCountsThemAndGoesOn() throws Exception {
    int calls = 300; // of 104 bytes each in the ring
    var rate = new PushRate(100_000, Duration.ofMillis(1));
    CallLimits tiny = new CallLimits(4096, 4096, rate, QUIET, ARRIVALS);
    try (SockOpsCalls source =
        SockOpsCalls.open(rig.config(Set.of(PORT)), tiny, ProgramVariant.ALL)) {
      Caller caller = rig.caller();
      caller.listenAt(CallRig.V4, PORT);
      caller.flood(CallRig.V4, PORT, calls); // nobody reads yet

      source.announce(heard);

      SeenCall first = heard.next();
      assertEquals(caller.pid(), first.process().pid());
      heard.awaitLost(calls - 4096 / 104);
      for (int told = 1; told + heard.lost.get() < calls; told++) {
        heard.next();
      }
      assertEquals(caller.connect(CallRig.V4, PORT), heard.next().connection());
    }
  }

  /** Such as a page of the ring that is gone: nobody may believe that it is still read. */
  @Test
  void anErrorInTheReadingThreadIsNotSilent() throws Exception {
    var died = new CompletableFuture<Throwable>();
    try (SockOpsCalls source = SockOpsCalls.open(rig.config(Set.of(PORT)))) {
      source.announce(
          new HeardCalls() {
            @Override
            public void called(SeenCall call) {
              Thread.currentThread().setUncaughtExceptionHandler((_, e) -> died.complete(e));
              throw new InternalError("a page is gone");
            }
          });
      Caller caller = rig.caller();
      caller.listenAt(CallRig.V4, PORT);
      caller.connect(CallRig.V4, PORT);
      assertEquals("a page is gone", died.get(10, TimeUnit.SECONDS).getMessage());
    }
  }

  @Test
  void aListenerThatThrowsIsToldTheNextCallToo() throws Exception {
    try (SockOpsCalls source = SockOpsCalls.open(rig.config(Set.of(PORT)))) {
      source.announce(
          new dev.rollcall.port.CallSource.Listener() {
            @Override
            public void called(SeenCall call) {
              heard.called(call);
              throw new IllegalStateException("a listener's mistake");
            }

            @Override
            public void lost(long count) {
              heard.lost(count);
            }

            @Override
            public void withdrawn(Connection connection) {
              heard.withdrawn(connection);
            }

            @Override
            public void arrived() {
              heard.arrived();
            }
          });
      Caller caller = rig.caller();
      caller.listenAt(CallRig.V4, PORT);

      Connection first = caller.connect(CallRig.V4, PORT);
      Connection second = caller.connect(CallRig.V4, PORT);

      assertEquals(first, heard.next().connection());
      assertEquals(second, heard.next().connection());
    }
  }
}
