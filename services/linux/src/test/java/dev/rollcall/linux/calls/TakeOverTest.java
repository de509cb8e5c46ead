package dev.rollcall.linux.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.bpf.BpfLink;
import dev.rollcall.linux.bpf.BpfProgram;
import dev.rollcall.model.Connection;
import dev.rollcall.port.CallSource.Sighting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is pinned outlives the agent, and the next one goes on with it. */
@Tag("root")
@Timeout(120)
class TakeOverTest {
  private static final int PORT = 2222;
  private static final Duration ARRIVALS = Duration.ofMillis(250);

  private CallRig rig;

  @BeforeEach
  void raise(@TempDir Path directory) throws Exception {
    rig = new CallRig(directory);
  }

  @AfterEach
  void end() throws Exception {
    rig.close();
  }

  private SockOpsCalls open() throws IOException {
    return SockOpsCalls.open(rig.config(Set.of(PORT)));
  }

  private BpfProgram.Identity attached() throws IOException {
    try (BpfLink link = BpfLink.open(rig.bpf.resolve("v1/link"), BpfProgram.Type.SOCK_OPS)) {
      return link.program();
    }
  }

  @Test
  void callsMadeWhileNoAgentRunsAreFoundAndTold() throws Exception {
    Caller caller = rig.caller();
    caller.listenAt(CallRig.V4, PORT);
    HeardCalls first = new HeardCalls();
    HeardCalls second = new HeardCalls();
    Connection before;
    try (SockOpsCalls source = open()) {
      source.announce(first);
      before = caller.connect(CallRig.V4, PORT);
      assertEquals(before, first.next().connection());
    }
    BpfProgram.Identity program = attached();

    Connection meanwhile = caller.connect(CallRig.V4, PORT);

    try (SockOpsCalls source = open()) {
      source.announce(second);
      assertInstanceOf(Sighting.Seen.class, source.find(before));
      assertInstanceOf(Sighting.Seen.class, source.find(meanwhile));
      assertEquals(meanwhile, second.next().connection(), "what was told is not told again");
      assertEquals(program, attached(), "the same program needs no replacing");
    }
  }

  @Test
  void anotherProgramTakesTheOldOnesPlaceWhileCallsAreMade() throws Exception {
    open().close();
    BpfProgram.Identity old = attached();
    Caller caller = rig.caller();
    caller.listenAt(CallRig.V4, PORT);
    CallLimits other =
        new CallLimits(
            65_536,
            1 << 18,
            new PushRate(256, Duration.ofMillis(10)),
            Duration.ofMillis(1_500),
            ARRIVALS);

    Thread replacing =
        Thread.ofPlatform()
            .start(() -> {
              try {
                SockOpsCalls.open(rig.config(Set.of(PORT)), other, ProgramVariant.ALL).close();
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    List<Connection> made = new java.util.ArrayList<>();
    while (replacing.isAlive() && made.size() < 900) {
      made.add(caller.connect(CallRig.V4, PORT));
    }
    replacing.join();

    assertFalse(old.equals(attached()));
    assertEquals(old.maps(), attached().maps());
    try (SockOpsCalls source =
        SockOpsCalls.open(rig.config(Set.of(PORT)), other, ProgramVariant.ALL)) {
      for (Connection call : made) {
        assertInstanceOf(Sighting.Seen.class, source.find(call), call.toString());
      }
    }
  }

  @Test
  void aTableOfAnotherSizeIsMadeAnew() throws Exception {
    open().close();
    CallLimits larger =
        new CallLimits(
            100_000,
            1 << 18,
            new PushRate(256, Duration.ofSeconds(1)),
            Duration.ofSeconds(1),
            ARRIVALS);
    try (SockOpsCalls source =
        SockOpsCalls.open(rig.config(Set.of(PORT)), larger, ProgramVariant.ALL)) {
      Caller caller = rig.caller();
      caller.listenAt(CallRig.V4, PORT);
      assertInstanceOf(Sighting.Seen.class, source.find(caller.connect(CallRig.V4, PORT)));
    }
  }

  /** Calls may stand announced of which nothing is written down: none of them may be trusted. */
  @Test
  void whatAnEarlierVersionAnnouncedIsLost() throws Exception {
    open().close();
    Files.delete(rig.bpf.resolve("v1/announced"));
    HeardCalls heard = new HeardCalls();
    try (SockOpsCalls source = open()) {
      source.announce(heard);
      heard.awaitLost(1);
    }
    HeardCalls next = new HeardCalls();
    try (SockOpsCalls source = open()) {
      source.announce(next);
      Caller caller = rig.caller();
      caller.listenAt(CallRig.V4, PORT);
      caller.connect(CallRig.V4, PORT);
      next.next();
      assertEquals(0, next.lost.get());
    }
  }

  /** The list of announced calls is made anew, with another size. */
  @Test
  void otherRatesApplyAndWhatWasAnnouncedIsLost() throws Exception {
    open().close();
    HeardCalls heard = new HeardCalls();
    try (SockOpsCalls source = SockOpsCalls.open(rig.tracking("2222", "5000 1/s"))) {
      source.announce(heard);
      heard.awaitLost(1);
      Caller caller = rig.caller("4711");
      caller.listenAt(CallRig.V4, 5000);
      caller.flood(CallRig.V4, 5000, 30);
      assertTrue(source.withheld() > 5, source.withheld() + " withheld");
    }
  }

  @Test
  void aNetworkThatIsNoLongerRegisteredIsNoLongerTrusted() throws Exception {
    open().close();
    CallSourceConfig withoutIt = rig.config(Set.of(PORT), Set.of(CallRig.CLUSTER_V4), List.of());
    SockOpsCalls.open(withoutIt).close();
    Caller caller = rig.caller();
    caller.listenAt(CallRig.V4, PORT);

    Connection call = caller.connect(CallRig.V4, PORT);

    try (SockOpsCalls source = open()) {
      assertInstanceOf(Sighting.NotSeen.class, source.find(call));
    }
  }

  @Test
  void aDirectoryThatOthersMayWriteIsRefused() throws Exception {
    Path shared = Files.createDirectory(rig.bpf.resolve("shared"));
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
    CallSourceConfig usual = rig.config(Set.of());
    CallSourceConfig config =
        new CallSourceConfig(
            shared,
            usual.cgroup(),
            List.of(),
            List.of(),
            Set.of(),
            Set.of(),
            usual.proc(),
            usual.callers());

    IOException e = assertThrows(IOException.class, () -> SockOpsCalls.open(config).close());

    assertTrue(
        String.valueOf(e.getMessage()).contains("does not belong to root only"), e.getMessage());
  }
}
