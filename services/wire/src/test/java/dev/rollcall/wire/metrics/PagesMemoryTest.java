package dev.rollcall.wire.metrics;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.wire.grpc.Peer;
import dev.rollcall.wire.grpc.PeerBounds;
import dev.rollcall.wire.memory.MemoryBudget;
import dev.rollcall.wire.memory.MemoryUse;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Strangers' streams whose answers waited ended an agent of 48 MiB by its metrics. */
class PagesMemoryTest {
  private static final int MIB = 1 << 20;

  private final Readers readers = new Readers("green", Set.of());
  private final PeerBounds bounds = PeerBounds.ofPages(readers::account);

  private boolean takes(Peer peer, int bytes) {
    MemoryBudget memory = bounds.memory();
    return memory.take(bounds.accounts().apply(peer), MemoryUse.REQUEST, bytes);
  }

  private static Peer stranger(String address) {
    return new Peer.Uncertified(address, Optional.empty(), _ -> true);
  }

  private static Peer certified(String uri) {
    return new Peer.Certified("holder", Set.of(), Set.of(uri), Instant.MAX);
  }

  @Test
  void strangersAndNodesLeaveRoomForReaders() {
    assertTrue(takes(stranger("10.0.0.1:1"), MIB));
    assertFalse(takes(stranger("10.0.0.1:2"), 1));
    assertTrue(takes(certified("rollcall://green/node/n1"), MIB));
    assertFalse(takes(certified("rollcall://green/node/n2"), 1));
    assertFalse(takes(stranger("10.0.0.2:1"), 1));
    assertTrue(takes(certified("rollcall://green/administrator/ann"), MIB));
  }

  @Test
  void loopbackIsOnePeer() {
    assertTrue(takes(new Peer.Anonymous("127.0.0.1:1"), MIB));
    assertFalse(takes(new Peer.Anonymous("127.8.8.8:1"), 1));
  }
}
