package dev.rollcall.linux.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.Errno;
import dev.rollcall.linux.KernelLockdown;
import dev.rollcall.linux.RefusedSystemCall;
import dev.rollcall.linux.net.SockDiag;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.CgroupIds;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.Protocol;
import dev.rollcall.model.SeenCall;
import dev.rollcall.port.CallSource;
import dev.rollcall.port.CallSource.Sighting;
import dev.rollcall.testkit.log.LoggedLines;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("root")
@Timeout(120)
class SockDiagCallsTest {
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

  private CallSourceConfig config(Path cgroup, CallerProcesses callers) {
    return new CallSourceConfig(
        rig.bpf,
        cgroup,
        List.of(rig.trustedNetwork()),
        List.of(),
        Set.of(),
        Set.of(),
        proc.root(),
        callers);
  }

  private static String notSeen(CallSource source, Connection connection) {
    return assertInstanceOf(Sighting.NotSeen.class, source.find(connection)).reason();
  }

  @Test
  void findsTheCandidateThatHoldsTheSocket() throws Exception {
    Caller bystander = rig.caller("4711");
    Caller caller = rig.caller("4711");
    int port = rig.caller().listen(CallRig.V4);
    Connection call = caller.connect(CallRig.V4, port);
    ProcessRef expected = proc.ref(caller.pid()).orElseThrow();
    List<ProcessRef> candidates =
        List.of(proc.ref(bystander.pid()).orElseThrow(), new ProcessRef(1, 0), expected);
    List<Integer> asked = new ArrayList<>();
    CallerProcesses callers =
        (uid, _) -> {
          asked.add(uid);
          return candidates;
        };

    try (CallSource source = SockDiagCalls.open(config(rig.group, callers))) {
      SeenCall seen = assertInstanceOf(Sighting.Seen.class, source.find(call)).call();

      assertEquals(expected, seen.process());
      assertEquals(4711, seen.uid());
      assertEquals(List.of(4711), asked);
      long freezer = rig.freezerGroup.isPresent() ? CallRig.inode(rig.freezerGroup.get()) : 0;
      assertEquals(new CgroupIds(CallRig.inode(rig.group), freezer), seen.cgroups());
    }
  }

  @Test
  void aCallerThatIsNoCandidateIsNotGuessed() throws Exception {
    Caller caller = rig.caller("4711");
    Connection call = caller.connect(CallRig.V4, rig.caller().listen(CallRig.V4));
    ProcessRef real = proc.ref(caller.pid()).orElseThrow();
    ProcessRef earlier = new ProcessRef(real.pid(), real.startTime() - 1); // had this pid before

    try (CallSource source = SockDiagCalls.open(config(rig.group, (_, _) -> List.of(earlier)))) {
      String reason = notSeen(source, call);
      assertTrue(reason.contains("of uid 4711 is held by none of 1 candidate"), reason);
    }
  }

  @Test
  void theAcceptingEndDidNotCallAndAClosedCallIsOver() throws Exception {
    Caller caller = rig.caller();
    Connection call = caller.connect(CallRig.V6, rig.caller().listen(CallRig.V6));

    try (CallSource source = SockDiagCalls.open(config(rig.group, proc::ofUid))) {
      assertInstanceOf(Sighting.Seen.class, source.find(call));
      assertTrue(notSeen(source, call.flipped()).endsWith("accepts: it did not call"));

      caller.close();

      assertTrue(notSeen(source, call).startsWith("no socket"));
    }
  }

  @Test
  void theUsersOwnNetworkOfTheSameAddressesIsNotLookedAt() throws Exception {
    Caller forger = rig.forger();
    Connection forged = forger.connect(CallRig.V4, forger.listen(CallRig.V4));

    try (CallSource source = SockDiagCalls.open(config(rig.group, proc::ofUid))) {
      assertTrue(notSeen(source, forged).startsWith("no socket"));
    }
  }

  private static Connection datagram(int port) {
    InetAddress node = InetAddress.ofLiteral(CallRig.V4);
    return new Connection(Protocol.UDP, new Endpoint(node, port), new Endpoint(node, 9999));
  }

  /** alice is 4711, bob 4712, whose socket is there first. */
  private void assertNobody(int port) throws Exception {
    try (CallSource source = SockDiagCalls.open(config(rig.group, proc::ofUid))) {
      assertEquals(
          "2 sockets can send from %s:%d, and they belong to several users or cgroups"
              .formatted(CallRig.V4, port),
          notSeen(source, datagram(port)));
    }
  }

  @Test
  void aConnectedSocketThatSendsElsewhereIsNotLeftOutForAnothersUnconnectedOne() throws Exception {
    int port = rig.caller("4712").bound("0.0.0.0", 0, "reuse", "");
    rig.caller("4711").bound("0.0.0.0", port, "reuse", CallRig.V4 + " 9");
    assertNobody(port);
  }

  @Test
  void aSocketOfAnotherLocalAddressSendsFromTheNodesToo() throws Exception {
    int port = rig.caller("4712").bound(CallRig.V4, 0, "-", "");
    rig.caller("4711").bound("127.0.0.1", port, "-", "");
    assertNobody(port);
  }

  @Test
  void aSocketOfIpv6AloneIsNoSenderOfIpv4() throws Exception {
    int port = rig.caller("4712").bound("::", 0, "v6only", "");
    Caller alice = rig.caller("4711");
    alice.bound("0.0.0.0", port, "-", CallRig.V4 + " 9");
    try (CallSource source = SockDiagCalls.open(config(rig.group, proc::ofUid))) {
      SeenCall seen = assertInstanceOf(Sighting.Seen.class, source.find(datagram(port))).call();
      assertEquals(4711, seen.uid());
      assertEquals(proc.ref(alice.pid()).orElseThrow(), seen.process());
    }
  }

  @Test
  void severalSocketsOfOneUserAndCgroupAreThatUsersAndOfTheConnectedOnesProcess() throws Exception {
    int port = rig.caller("4711").bound("::", 0, "reuse", "");
    Caller connected = rig.caller("4711");
    connected.bound("0.0.0.0", port, "reuse", CallRig.V4 + " 9999");
    try (CallSource source = SockDiagCalls.open(config(rig.group, proc::ofUid))) {
      SeenCall seen = assertInstanceOf(Sighting.Seen.class, source.find(datagram(port))).call();
      assertEquals(proc.ref(connected.pid()).orElseThrow(), seen.process());
      assertEquals(CallRig.inode(rig.group), seen.cgroups().v2());
    }
  }

  @Test
  void aPortWithMoreSocketsThanAreReadIsNamedWithTheirNumber() throws Exception {
    Caller caller = rig.caller("4711");
    int port = caller.bound("0.0.0.0", 0, "reuse", "");
    for (int i = 0; i < SockDiag.MOST_ON_PORT; i++) {
      caller.bound("0.0.0.0", port, "reuse", "");
    }
    try (CallSource source = SockDiagCalls.open(config(rig.group, proc::ofUid))) {
      assertEquals(
          "more than 100 UDP sockets are bound to port " + port + ", and so they are not searched",
          notSeen(source, datagram(port)));
      int listening = rig.caller().listen(CallRig.V4);
      assertInstanceOf(
          Sighting.Seen.class, source.find(caller.connect(CallRig.V4, listening)), "a next one");
    }
  }

  @Test
  void aUserWithMoreProcessesThanAreSearchedIsNamedWithTheirNumber() throws Exception {
    Caller caller = rig.caller("4711");
    Connection call = caller.connect(CallRig.V4, rig.caller().listen(CallRig.V4));
    ProcessRef real = proc.ref(caller.pid()).orElseThrow();
    CallerProcesses many = (_, most) -> Collections.nCopies(most, real);
    try (CallSource source = SockDiagCalls.open(config(rig.group, many))) {
      assertEquals(
          "uid 4711 has more than 4096 processes, and so they are not searched for the one that"
              + " called",
          notSeen(source, call));
    }
  }

  @Test
  void theFallbackNamesItselfAndWhatIsMissingInOneLine() throws Exception {
    try (var logged = LoggedLines.of("dev.rollcall.linux");
        CallSource without = CallSources.open(config(Path.of("/"), proc::ofUid));
        CallSource off =
            CallSources.withoutBpf(
                config(rig.group, proc::ofUid), System.Logger.Level.INFO, "bpf is off");
        CallSource with = CallSources.open(config(rig.group, proc::ofUid))) {
      assertEquals("sock_diag", without.name());
      assertEquals("sock_diag", off.name());
      assertEquals("sock_ops", with.name());
      assertEquals(
          List.of(
              "calls are found by sock_diag and not pushed: sock_ops is not available:"
                  + " bpf(LINK_CREATE to /) failed: EBADF (9)",
              "calls are found by sock_diag and not pushed: bpf is off"),
          logged.lines().subList(0, 2));
    }
  }

  /** EPERM: a container's filter, or no capability; ENOSYS: a kernel without bpf(2). */
  @ParameterizedTest
  @EnumSource(names = {"EPERM", "ENOSYS"})
  void callersAreFoundWhereTheKernelRefusesBpf(Errno refusal, @TempDir Path folder)
      throws Exception {
    Path mode = Files.writeString(folder.resolve("mode"), "none integrity [confidentiality]\n");
    Caller caller = rig.caller("4711");
    Connection call = caller.connect(CallRig.V4, rig.caller().listen(CallRig.V4));
    try (var logged = LoggedLines.of("dev.rollcall.linux")) {
      RefusedSystemCall.bpf(
          refusal,
          () -> {
            CallSourceConfig config = config(rig.group, proc::ofUid);
            try (CallSource source = CallSources.open(config, new KernelLockdown(mode))) {
              assertEquals("sock_diag", source.name());
              assertFalse(source.announces());
              var seen = assertInstanceOf(Sighting.Seen.class, source.find(call));
              assertEquals(caller.pid(), seen.call().process().pid());
            }
          });
      assertEquals(
          List.of(
              "calls are found by sock_diag and not pushed: sock_ops is not available:"
                  + " bpf(MAP_CREATE trusted) failed: %s (%d)".formatted(refusal, refusal.number())
                  + "; the kernel is locked down (confidentiality)"),
          logged.lines());
    }
  }
}
