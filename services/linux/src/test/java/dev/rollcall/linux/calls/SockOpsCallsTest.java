package dev.rollcall.linux.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.CgroupIds;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Protocol;
import dev.rollcall.model.SeenCall;
import dev.rollcall.port.CallSource;
import dev.rollcall.port.CallSource.Sighting;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("root")
@Timeout(120)
class SockOpsCallsTest {
  private final Proc proc = new Proc(Path.of("/proc"));
  private CallRig rig;

  @BeforeEach
  void raise(@TempDir Path directory) throws Exception {
    rig = new CallRig(directory);
  }

  @AfterEach
  void end() throws Exception {
    rig.close();
  }

  private static SeenCall seen(CallSource source, Connection connection) {
    return assertInstanceOf(Sighting.Seen.class, source.find(connection)).call();
  }

  private static String notSeen(CallSource source, Connection connection) {
    return assertInstanceOf(Sighting.NotSeen.class, source.find(connection)).reason();
  }

  private CgroupIds ids() throws Exception {
    return new CgroupIds(
        CallRig.inode(rig.group),
        rig.freezerGroup.isPresent() ? CallRig.inode(rig.freezerGroup.get()) : 1);
  }

  private void knowsWhoCalls(SockOpsCalls source, Caller caller, Connection call, Instant before)
      throws Exception {
    SeenCall seen = seen(source, call);

    assertEquals(call, seen.connection());
    assertEquals(proc.ref(caller.pid()).orElseThrow(), seen.process());
    assertEquals(ids(), seen.cgroups());
    assertFalse(seen.at().isBefore(before.minusMillis(50)), seen.at() + " before " + before);
    assertFalse(seen.at().isAfter(Instant.now().plusMillis(50)), seen.at() + " is to come");
  }

  @ParameterizedTest
  @ValueSource(strings = {CallRig.V4, CallRig.V6, "::ffff:" + CallRig.V4})
  void knowsWhoCallsInARegisteredNetwork(String address) throws Exception {
    try (SockOpsCalls source = SockOpsCalls.open(rig.config(Set.of()))) {
      int port = rig.caller().listen(address.replace("::ffff:", ""));
      Caller caller = rig.caller("4711");
      Instant before = Instant.now();

      Connection call = caller.connect(address, port);

      knowsWhoCalls(source, caller, call, before);
      assertEquals(4711, seen(source, call).uid());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  void loopbackIsThatOfTheAgentsOwnNetwork(String address) throws Exception {
    try (SockOpsCalls source = SockOpsCalls.open(rig.config(Set.of()))) {
      Caller outside = rig.callerOutside();
      Instant before = Instant.now();
      Connection call = outside.connect(address, outside.listen(address));

      knowsWhoCalls(source, outside, call, before);

      Caller inside = rig.caller();
      Connection other = inside.connect(address, inside.listen(address));
      assertTrue(notSeen(source, other).contains("no call"), notSeen(source, other));
    }
  }

  @ParameterizedTest
  @MethodSource("variants")
  void everyVariantThatTheVerifierTakesKnowsTheSame(ProgramVariant variant) throws Exception {
    try (SockOpsCalls source =
        SockOpsCalls.open(rig.config(Set.of()), CallLimits.DEFAULT, List.of(variant))) {
      assertEquals(variant.toString(), source.variant());
      int port = rig.caller().listen(CallRig.V6);
      Caller caller = rig.caller();
      Instant before = Instant.now();

      knowsWhoCalls(source, caller, caller.connect(CallRig.V6, port), before);

      Caller forger = rig.forger();
      Connection forged = forger.connect(CallRig.V4, forger.listen(CallRig.V4));
      assertTrue(notSeen(source, forged).startsWith("no call"), notSeen(source, forged));
    }
  }

  static List<ProgramVariant> variants() {
    return ProgramVariant.ALL; // this test's kernel takes all four
  }

  /** A JDK socket is dual-stack, and its thread is not the one that started the process. */
  @Test
  void aThreadsCallIsItsProcesss() throws Exception {
    Path before = cgroupOfThisProcess();
    try (SockOpsCalls source = SockOpsCalls.open(rig.config(Set.of()));
        ServerSocketChannel listener =
            ServerSocketChannel.open()
                .bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0))) {
      enter(rig.group);
      try (SocketChannel caller = SocketChannel.open(listener.getLocalAddress())) {
        Connection call =
            Connection.tcp(endpoint(caller.getLocalAddress()), endpoint(caller.getRemoteAddress()));
        assertEquals(
            proc.ref((int) ProcessHandle.current().pid()).orElseThrow(),
            seen(source, call).process());
      } finally {
        enter(before);
      }
    }
  }

  private static Endpoint endpoint(java.net.SocketAddress address) {
    InetSocketAddress inet = (InetSocketAddress) address;
    return new Endpoint(inet.getAddress(), inet.getPort());
  }

  private Path cgroupOfThisProcess() throws Exception {
    String line =
        Files.readAllLines(Path.of("/proc/self/cgroup")).stream()
            .filter(each -> each.startsWith("0::"))
            .findFirst()
            .orElseThrow();
    return Path.of(String.valueOf(rig.group.getParent()), line.substring(3));
  }

  private static void enter(Path group) throws Exception {
    Files.writeString(group.resolve("cgroup.procs"), "" + ProcessHandle.current().pid());
  }

  @Test
  void aUserWhoForgesTheAddressesInANetworkOfTheirOwnChangesNothing() throws Exception {
    Set<Integer> ports = Set.of(2222);
    HeardCalls heard = new HeardCalls();
    try (SockOpsCalls source = SockOpsCalls.open(rig.config(ports))) {
      int port = rig.caller().listen(CallRig.V4);
      Caller caller = rig.caller();
      Connection call = caller.connect(CallRig.V4, port);
      SeenCall before = seen(source, call);
      source.announce(heard);

      Caller forger = rig.forger();
      forger.listenAt(CallRig.V4, port);
      forger.listenAt(CallRig.V4, 2222);
      assertEquals(call, forger.connectFrom(call.local().port(), CallRig.V4, port));
      Connection other = forger.connect(CallRig.V4, 2222);

      assertEquals(before.process(), seen(source, call).process());
      assertTrue(notSeen(source, other).startsWith("no call"), notSeen(source, other));
      // The ring is in order: had the forged call been announced, it would come before this one.
      Caller real = rig.caller();
      real.listenAt(CallRig.V4, 2222);
      assertEquals(real.connect(CallRig.V4, 2222), heard.next().connection());
    }
  }

  @Test
  void aCallThatIsOverIsNotSeen() throws Exception {
    try (SockOpsCalls source = SockOpsCalls.open(rig.config(Set.of()))) {
      int port = rig.caller().listen(CallRig.V4);
      Caller caller = rig.caller();
      Connection call = caller.connect(CallRig.V4, port);
      assertEquals(caller.pid(), seen(source, call).process().pid());

      caller.close();

      assertTrue(notSeen(source, call).endsWith("is over"), notSeen(source, call));
    }
  }

  @Test
  void ofTwoCallsFromOnePortTheLaterCounts() throws Exception {
    try (SockOpsCalls source = SockOpsCalls.open(rig.config(Set.of()))) {
      int port = rig.caller().listen(CallRig.V4);
      Caller first = rig.caller();
      Connection call = first.connect(CallRig.V4, port);
      assertEquals(first.pid(), seen(source, call).process().pid());
      first.reset();

      Caller second = rig.caller();
      assertEquals(call, second.connectFrom(call.local().port(), CallRig.V4, port));

      assertEquals(second.pid(), seen(source, call).process().pid());
    }
  }

  /**
   * The same four numbers, but the other way round: who called before is not who holds them now.
   */
  @Test
  void aSocketThatWasNotRecordedIsNotTheOneThatWas() throws Exception {
    try (SockOpsCalls source = SockOpsCalls.open(rig.config(Set.of()))) {
      Caller listener = rig.caller();
      int port = listener.listen(CallRig.V4);
      Caller first = rig.caller();
      Connection call = first.connect(CallRig.V4, port);
      first.reset();
      listener.close();

      Caller server = rig.caller();
      server.listenAt(CallRig.V4, call.local().port());
      rig.caller().connectFrom(port, CallRig.V4, call.local().port());
      server.accept();

      assertTrue(notSeen(source, call).endsWith("not the one recorded"), notSeen(source, call));
    }
  }

  @Test
  void theAcceptingEndDidNotCall() throws Exception {
    try (SockOpsCalls source = SockOpsCalls.open(rig.config(Set.of()))) {
      int port = rig.caller().listen(CallRig.V4);
      Connection call = rig.caller().connect(CallRig.V4, port);

      assertTrue(notSeen(source, call.flipped()).startsWith("no call"));
    }
  }

  @Test
  void aTableThatOverflowsForgetsCallsAndMixesNone() throws Exception {
    CallLimits small =
        new CallLimits(
            512,
            4096,
            new PushRate(256, Duration.ofMillis(16)),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1));
    try (SockOpsCalls source = SockOpsCalls.open(rig.config(Set.of()), small, ProgramVariant.ALL)) {
      int port = rig.caller().listen(CallRig.V4);
      Caller one = rig.caller();
      Caller two = rig.caller();
      List<Connection> ofOne = new ArrayList<>();
      List<Connection> ofTwo = new ArrayList<>();
      for (int round = 0; round < 20; round++) {
        ofOne.addAll(one.flood(CallRig.V4, port, 40));
        ofTwo.addAll(two.flood(CallRig.V4, port, 40));
      }
      int forgotten = forgotten(source, ofOne, one.pid()) + forgotten(source, ofTwo, two.pid());

      assertTrue(forgotten >= 1600 - 512, forgotten + " forgotten");
      assertTrue(forgotten < 1600, "the latest are known");
      assertEquals(two.pid(), seen(source, ofTwo.getLast()).process().pid());
    }
  }

  private static int forgotten(CallSource source, List<Connection> calls, int pid) {
    int forgotten = 0;
    for (Connection call : calls) {
      switch (source.find(call)) {
        case Sighting.Seen(SeenCall seen) -> assertEquals(pid, seen.process().pid());
        case Sighting.NotSeen _ -> forgotten++;
      }
    }
    return forgotten;
  }

  @Test
  void aDatagramSocketIsFoundWhileItIsOpen() throws Exception {
    try (SockOpsCalls source = SockOpsCalls.open(rig.config(Set.of()))) {
      Caller caller = rig.caller("4711");
      Connection sending =
          new Connection(
              Protocol.UDP,
              new Endpoint(InetAddress.ofLiteral(CallRig.V6), caller.udp(CallRig.V6, 9)),
              new Endpoint(InetAddress.ofLiteral(CallRig.V6), 9));

      SeenCall seen = seen(source, sending);

      assertEquals(proc.ref(caller.pid()).orElseThrow(), seen.process());
      assertEquals(4711, seen.uid());
      assertEquals(ids().v2(), seen.cgroups().v2());
    }
  }

  @Test
  void anAddressOfTwoTrustedNetworksIsNobodys() throws Exception {
    try (CallRig.Network second = rig.anotherNetwork();
        SockOpsCalls source =
            SockOpsCalls.open(
                rig.config(Set.of(), Set.of(), List.of(rig.trustedNetwork(), second.file())))) {
      int port = rig.caller().listen(CallRig.V4);
      Connection call = rig.caller().connect(CallRig.V4, port);

      assertTrue(notSeen(source, call).contains("in several"), notSeen(source, call));
    }
  }

  @Test
  void aClosedSourceSaysSo() throws Exception {
    SockOpsCalls source = SockOpsCalls.open(rig.config(Set.of()));
    source.close();
    source.close();

    Connection any = Connection.tcp(Endpoint.parse("127.0.0.1:1"), Endpoint.parse("127.0.0.1:2"));
    assertEquals("the source of calls is closed", notSeen(source, any));
  }
}
