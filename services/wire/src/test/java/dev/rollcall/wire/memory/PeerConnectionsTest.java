package dev.rollcall.wire.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PeerConnectionsTest {
  private final PeerConnections connections = new PeerConnections();

  private record Fixed(PeerKind kind, Object account) implements PeerConnection {
    @Override
    public long received() {
      return 0;
    }

    @Override
    public void close() {}
  }

  @Test
  void aConnectionIsKnownUntilItIsRemoved() {
    var alice = new Fixed(PeerKind.USER, "alice");
    var bob = new Fixed(PeerKind.USER, "bob");
    Runnable closed = connections.opened(alice);
    var _ = connections.opened(bob);
    closed.run();
    assertEquals(Set.of(bob), Set.copyOf(connections.open()));
  }

  @Test
  void refusesKindsUpToTheOneItWasToldAndNoOther() {
    connections.refuse(PeerKind.USER, "short");
    assertEquals(Optional.of("short"), connections.objection(PeerKind.STRANGER));
    assertEquals(Optional.of("short"), connections.objection(PeerKind.USER));
    assertEquals(Optional.empty(), connections.objection(PeerKind.SERVICE));
    assertEquals(Optional.empty(), connections.objection(PeerKind.PROTECTED));
    connections.admitAll();
    assertEquals(Optional.empty(), connections.objection(PeerKind.STRANGER));
  }
}
