package dev.rollcall.wire.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.wire.memory.HeldMemory;
import dev.rollcall.wire.memory.MemoryBudget;
import dev.rollcall.wire.memory.MemoryUse;
import dev.rollcall.wire.memory.PeerKind;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeldMemoryTest {
  private static final Peer.Address LOGIN_NODE = Peer.Address.of("10.0.0.1:50000");

  private final MemoryBudget budget = new MemoryBudget(10, 25, new SimpleMeterRegistry());

  @Test
  void aCallCountsForItsUserOnceItIsIdentified() {
    var call = new HeldMemory(budget, LOGIN_NODE);
    assertTrue(call.take(MemoryUse.REQUEST, 10));
    assertFalse(budget.take(LOGIN_NODE, MemoryUse.REQUEST, 1));
    assertTrue(call.moveTo(new Peer.User(2_001)));
    // The next user of the same address has what the address may have, and then a share as well.
    assertTrue(budget.take(LOGIN_NODE, MemoryUse.REQUEST, 10));
    assertTrue(budget.take(new Peer.User(2_002), MemoryUse.REQUEST, 5));
    assertFalse(call.take(MemoryUse.REQUEST, 1));
    call.close();
    assertEquals(15, budget.held());
  }

  @Test
  void whatIsReleasedIsThereForOthersAtOnce() {
    var call = new HeldMemory(budget, LOGIN_NODE);
    assertTrue(call.take(MemoryUse.REQUEST, 10));
    call.release(4);
    assertEquals(6, budget.held());
    assertTrue(budget.take(LOGIN_NODE, MemoryUse.REQUEST, 4));
    call.close();
    call.release(6);
    assertEquals(4, budget.held());
  }

  @Test
  void aUserWithoutRoomHasNoFurtherCall() {
    assertTrue(budget.take(new Peer.User(2_001), MemoryUse.REQUEST, 8));
    var call = new HeldMemory(budget, LOGIN_NODE);
    assertTrue(call.take(MemoryUse.REQUEST, 3));
    assertFalse(call.moveTo(new Peer.User(2_001)));
    call.close();
    assertEquals(8, budget.held());
  }

  @Test
  void aNetworkOfIpv6IsOneStranger() {
    Peer.Address one = Peer.Address.of("2001:db8:0:1::7:50000");
    assertEquals(one, Peer.Address.of("2001:db8:0:1:ffff::9:443"));
    assertNotEquals(one, Peer.Address.of("2001:db8:0:2::7:50000"));
    assertNotEquals(LOGIN_NODE, Peer.Address.of("10.0.0.2:50000"));
    assertEquals(PeerKind.STRANGER, one.kind());
  }

  @ParameterizedTest
  @CsvSource({
    "USER,",
    "USER, https://site.example/alice",
    "USER, rollcall://alps/emperor/alice",
    "SERVICE, rollcall://alps/service/licence?port=27000",
    "PROTECTED, rollcall://alps/node/n1",
    "PROTECTED, rollcall://alps/gateway/g1",
    "PROTECTED, rollcall://alps/administrator/ada",
  })
  void aCertificateCountsByItsRole(PeerKind kind, @Nullable String uri) {
    Set<String> uris = uri == null ? Set.of() : Set.of(uri);
    assertEquals(kind, new Peer.Certified("alice", Set.of(), uris, Instant.MAX).kind());
  }

  @Test
  void anAccountThatTheSiteListsCountsAsAService() {
    var bounds = PeerBounds.ofAgent(budget).forListedUsers();
    assertEquals(
        PeerKind.SERVICE, bounds.accounts().apply(new Peer.Local(7, 54_321, 54_321)).kind());
    assertEquals(PeerKind.PROTECTED, bounds.accounts().apply(new Peer.Local(7, 0, 0)).kind());
  }
}
