package dev.rollcall.linux.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.bpf.BpfMap;
import dev.rollcall.model.CgroupIds;
import dev.rollcall.port.CallSource.PortCalls;
import dev.rollcall.port.CallSource.Sighting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
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

/** Real sockets, counted by the kernel. */
@Tag("root")
@Timeout(120)
class WatchedCallsTest {
  private static final int LICENSE = 27_000;
  private static final int OTHER = 27_001;
  private static final int MOST = 8_192;

  private CallRig rig;

  @BeforeEach
  void raise(@TempDir Path directory) throws Exception {
    rig = new CallRig(directory);
  }

  @AfterEach
  void end() throws Exception {
    rig.close();
  }

  private CgroupIds ids() throws Exception {
    return new CgroupIds(
        CallRig.inode(rig.group),
        rig.freezerGroup.isPresent() ? CallRig.inode(rig.freezerGroup.get()) : 1);
  }

  private static List<PortCalls> counted(SockOpsCalls source) {
    return source.watchedCalls().orElseThrow().calls();
  }

  private static List<ProgramVariant> variants() {
    return ProgramVariant.ALL;
  }

  @ParameterizedTest
  @MethodSource("variants")
  void callsToWatchedPortsAreCountedForTheCallersCgroups(ProgramVariant variant) throws Exception {
    try (SockOpsCalls source =
        SockOpsCalls.open(
            rig.watching(Set.of(LICENSE, 6_817)), CallLimits.DEFAULT, List.of(variant))) {
      Caller server = rig.caller();
      server.listenAt(CallRig.V4, LICENSE);
      server.listenAt(CallRig.V6, LICENSE);
      server.listenAt(CallRig.V4, OTHER);
      assertEquals(List.of(), counted(source));
      Caller caller = rig.caller("4711");
      caller.connect(CallRig.V4, LICENSE);
      caller.connect(CallRig.V4, OTHER);
      caller.connect(CallRig.V6, LICENSE);
      assertEquals(List.of(new PortCalls(ids(), LICENSE, 2)), counted(source));
      assertEquals(0, source.watchedCalls().orElseThrow().uncounted());
    }
  }

  /** No call is reported: the agent has no work for it. */
  @Test
  void aFloodIsOneNumberAndReportsNothing() throws Exception {
    try (SockOpsCalls source = SockOpsCalls.open(rig.watching(Set.of(LICENSE)))) {
      var heard = new HeardCalls();
      source.announce(heard);
      Caller server = rig.caller();
      server.listenAt(CallRig.V4, LICENSE);
      Caller caller = rig.caller("4711");
      var last = caller.flood(CallRig.V4, LICENSE, 2_000).getLast();
      assertEquals(List.of(new PortCalls(ids(), LICENSE, 2_000)), counted(source));
      assertInstanceOf(Sighting.Seen.class, source.find(last), "is answered about as before");
      assertEquals(List.of(), List.copyOf(heard.calls));
    }
  }

  @Test
  void theNextAgentGoesOnWithTheNumbers() throws Exception {
    Caller server = rig.caller();
    server.listenAt(CallRig.V4, LICENSE);
    server.listenAt(CallRig.V4, OTHER);
    Caller caller = rig.caller();
    SockOpsCalls.open(rig.watching(Set.of(LICENSE))).close();
    caller.connect(CallRig.V4, LICENSE); // while there is no agent
    try (SockOpsCalls source = SockOpsCalls.open(rig.watching(Set.of(LICENSE, OTHER)))) {
      caller.connect(CallRig.V4, LICENSE);
      assertEquals(List.of(new PortCalls(ids(), LICENSE, 2)), counted(source));
      source.forget(counted(source).getFirst());
      caller.connect(CallRig.V4, OTHER);
      assertEquals(List.of(new PortCalls(ids(), OTHER, 1)), counted(source));
    }
    try (SockOpsCalls source = SockOpsCalls.open(rig.config(Set.of()))) {
      caller.connect(CallRig.V4, OTHER);
      assertEquals(List.of(), counted(source));
    }
  }

  /** As a user who may make cgroups can fill it. */
  @Test
  void aFullMapCountsWhatIsNotCountedAndGoesOnWithTheRest() throws Exception {
    try (SockOpsCalls source = SockOpsCalls.open(rig.watching(Set.of(LICENSE, OTHER)))) {
      Caller server = rig.caller();
      server.listenAt(CallRig.V4, LICENSE);
      server.listenAt(CallRig.V4, OTHER);
      Caller caller = rig.caller();
      caller.connect(CallRig.V4, LICENSE);
      fill();
      caller.connect(CallRig.V4, LICENSE);
      caller.connect(CallRig.V4, OTHER);
      caller.connect(CallRig.V4, OTHER);
      assertEquals(2, source.watchedCalls().orElseThrow().uncounted());
      List<PortCalls> all = counted(source);
      assertEquals(MOST, all.size());
      assertTrue(all.contains(new PortCalls(ids(), LICENSE, 2)));
      all.stream().filter(each -> each.cgroups().v1() == -1).forEach(source::forget);
      caller.connect(CallRig.V4, OTHER);
      assertEquals(
          Set.of(new PortCalls(ids(), LICENSE, 2), new PortCalls(ids(), OTHER, 1)),
          Set.copyOf(counted(source)));
    }
  }

  /** With entries of cgroups that do not exist. */
  private void fill() throws Exception {
    var shape = new BpfMap.Shape("watched", BpfMap.Type.HASH, 24, 8, MOST);
    try (BpfMap map =
            BpfMap.open(CallPins.prepare(rig.bpf).resolve("watched"), shape).orElseThrow();
        Arena arena = Arena.ofConfined()) {
      MemorySegment key = arena.allocate(24, 8);
      MemorySegment one = arena.allocateFrom(ValueLayout.JAVA_LONG, 1);
      for (int cgroup = 1; cgroup < MOST; cgroup++) {
        key.set(ValueLayout.JAVA_LONG, CallLayout.WATCHED_V2, cgroup);
        key.set(ValueLayout.JAVA_LONG, CallLayout.WATCHED_V1, -1);
        key.set(ValueLayout.JAVA_LONG, CallLayout.WATCHED_PORT, LICENSE);
        map.put(key, one);
      }
    }
  }
}
