package dev.rollcall.wire.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.wire.memory.MemoryBudget.Bound;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final MemoryBudget budget = new MemoryBudget(10, 25, registry);

  @Test
  void aPeerHoldsItsShareAndNotMore() {
    assertTrue(budget.take("alice", MemoryUse.REQUEST, 10));
    assertFalse(budget.take("alice", MemoryUse.BODY, 1));
    assertTrue(budget.take("bob", MemoryUse.BODY, 10));
    assertEquals(20, budget.held());
    assertEquals(1, refused("body"));
  }

  @Test
  void allPeersTogetherHoldNoMoreThanTheTotal() {
    assertTrue(budget.take("alice", MemoryUse.REQUEST, 10));
    assertTrue(budget.take("bob", MemoryUse.REQUEST, 10));
    assertFalse(budget.take("carol", MemoryUse.REQUEST, 6));
    assertTrue(budget.take("carol", MemoryUse.REQUEST, 5));
    assertEquals(1, refused("request"));
  }

  @Test
  void whereRoomIsLeftManyGreedyPeersDoNotTakeEverything() {
    var fair = new MemoryBudget(_ -> new Bound(1_000, 8_000, true), new SimpleMeterRegistry());
    assertTrue(fair.take("alone", MemoryUse.REQUEST, 1_000));
    fair.release("alone", 1_000);
    for (int round = 0; round < 100; round++) {
      for (int peer = 0; peer < 12; peer++) {
        var _ = fair.take(peer, MemoryUse.REQUEST, 20);
      }
    }
    assertTrue(fair.held() > 12 * 500, "each has a part: " + fair.held());
    assertTrue(fair.take("another", MemoryUse.REQUEST, 250), "and so has another");
  }

  @Test
  void releasedBytesCanBeTakenAgain() {
    assertTrue(budget.take("alice", MemoryUse.OUTGOING, 10));
    budget.release("alice", 4);
    assertTrue(budget.take("alice", MemoryUse.OUTGOING, 4));
    budget.release("alice", 10);
    assertEquals(0, budget.held());
    assertEquals(0, registry.get("rollcall.peer.memory.held.bytes").gauge().value());
  }

  @Test
  void moreThanHeldIsNotReleased() {
    assertTrue(budget.take("alice", MemoryUse.WATCHER, 3));
    assertThrows(IllegalStateException.class, () -> budget.release("alice", 4));
  }

  private record Stranger(String name) implements PeerAccount {
    @Override
    public PeerKind kind() {
      return PeerKind.STRANGER;
    }
  }

  private record Administrator() implements PeerAccount {
    @Override
    public PeerKind kind() {
      return PeerKind.PROTECTED;
    }
  }

  @Test
  void laterKindsHaveAPartThatNobodyElseCanUse() {
    var parts =
        new MemoryBudget(
            kind ->
                switch (kind) {
                  case STRANGER -> new Bound(2, 4);
                  case USER, SERVICE -> new Bound(8, 12);
                  case PROTECTED -> new Bound(8, 16);
                },
            new SimpleMeterRegistry());
    assertTrue(parts.take(new Stranger("10.0.0.1"), MemoryUse.REQUEST, 2));
    assertFalse(parts.take(new Stranger("10.0.0.1"), MemoryUse.REQUEST, 1));
    assertTrue(parts.take(new Stranger("10.0.0.2"), MemoryUse.REQUEST, 2));
    assertFalse(parts.take(new Stranger("10.0.0.3"), MemoryUse.REQUEST, 1));
    assertTrue(parts.take("alice", MemoryUse.REQUEST, 8));
    assertFalse(parts.take("bob", MemoryUse.REQUEST, 1));
    assertTrue(parts.take(new Administrator(), MemoryUse.REQUEST, 4));
    assertFalse(parts.take(new Administrator(), MemoryUse.REQUEST, 1));
    assertEquals(16, parts.held());
  }

  @Test
  void aShareLargerThanTheTotalIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new MemoryBudget(26, 25, registry));
  }

  private double refused(String use) {
    return registry.get("rollcall.peer.memory.refused").tag("use", use).counter().count();
  }
}
