package dev.rollcall.wire.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MemoryGuardTest {
  private static final long SECOND = 1_000_000_000L;

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final MemoryBudget budget = new MemoryBudget(1 << 20, 1 << 20, registry);
  private final PeerConnections connections = budget.connections();
  private final Figures figures = new Figures();
  private final List<String> ends = new ArrayList<>();
  private long now = Long.MAX_VALUE - SECOND; // it wraps, as that of System.nanoTime() may
  private final MemoryGuard guard =
      new MemoryGuard(budget, figures, () -> now, ends::add, registry);

  /** Used, and what remains of it after a collection. */
  private final class Figures implements MemoryReader {
    volatile double used;
    volatile double live;
    volatile double direct;
    int collections;
    final CountDownLatch looked = new CountDownLatch(1);

    @Override
    public MemoryShares now() {
      return new MemoryShares(used, direct);
    }

    @Override
    public MemoryShares collected() {
      collections++;
      looked.countDown();
      now += SECOND / 10;
      used = live;
      return now();
    }
  }

  private void look() {
    guard.look();
    now += 2 * SECOND;
  }

  private FakeConnection open(PeerKind kind, String account, long received) {
    var connection = new FakeConnection(kind, account, received);
    var _ = connections.opened(connection);
    return connection;
  }

  private double count(String kind, String action) {
    return registry
        .get("rollcall.memory.shortage")
        .tags("kind", kind, "action", action)
        .functionCounter()
        .count();
  }

  @Test
  void garbageIsNoShortage() {
    figures.used = 0.99;
    figures.live = 0.2;
    look();
    assertEquals(1, figures.collections);
    assertTrue(connections.objection(PeerKind.STRANGER).isEmpty());
  }

  @Test
  void aHeapBelowTheMarkIsNotCollected() {
    figures.used = MemoryMarks.LOOK - 0.01;
    look();
    assertEquals(0, figures.collections);
  }

  @Test
  void collectionsTakeASmallPartOfTheTimeAndAreMadeForGrowthOnly() {
    for (int i = 0; i < 1_000; i++) {
      figures.used = 0.9;
      figures.live = 0.1;
      guard.look();
      now += SECOND / 100;
    }
    assertEquals(11, figures.collections, 1); // of 0.1 s each, within 11 s
    figures.used = 0.7;
    figures.live = 0.7;
    now += SECOND;
    look();
    int before = figures.collections;
    figures.used = 0.72;
    look();
    look();
    assertEquals(before, figures.collections);
  }

  @Test
  void refusesStrangersThenUsersThenServicesAndNobodyWhenItIsOver() {
    figures.used = figures.live = 0.76;
    look();
    assertTrue(connections.objection(PeerKind.STRANGER).isPresent());
    assertTrue(connections.objection(PeerKind.USER).isEmpty());
    figures.used = figures.live = 0.81;
    look();
    assertTrue(connections.objection(PeerKind.USER).isPresent());
    assertTrue(connections.objection(PeerKind.SERVICE).isEmpty());
    figures.used = figures.live = 0.86;
    look();
    assertTrue(connections.objection(PeerKind.SERVICE).isPresent());
    assertTrue(connections.objection(PeerKind.PROTECTED).isEmpty());
    figures.used = figures.live = 0.3;
    look();
    assertTrue(
        Stream.of(PeerKind.values()).allMatch(kind -> connections.objection(kind).isEmpty()));
    assertEquals(1, count("stranger", "refused"));
    assertEquals(1, count("user", "refused"));
    assertEquals(1, count("service", "refused"));
  }

  @Test
  void closesTheLargestFirstAndTwiceAsManyEachTime() {
    var node = open(PeerKind.PROTECTED, "node", 1 << 20);
    List<FakeConnection> users = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      users.add(open(PeerKind.USER, "user" + i, 100 - i));
    }
    figures.used = figures.live = 0.9;
    look();
    assertEquals(1, users.stream().filter(each -> each.closed).count());
    assertTrue(users.getFirst().closed);
    look();
    assertEquals(3, users.stream().filter(each -> each.closed).count());
    look();
    assertEquals(7, users.stream().filter(each -> each.closed).count());
    assertFalse(node.closed);
    assertEquals(1 + 2 + 4, count("user", "closed"));
  }

  @Test
  void directMemoryCountsAsTheHeapDoes() {
    var stranger = open(PeerKind.STRANGER, "stranger", 1);
    figures.used = 0.1;
    figures.direct = 0.9;
    look();
    assertTrue(stranger.closed);
    assertEquals(0, figures.collections);
    figures.direct = 0.1;
    look();
    assertTrue(connections.objection(PeerKind.STRANGER).isEmpty());
  }

  @Test
  void fullMemoryEndsTheProcessIfClosingDoesNotHelpForASecond() {
    figures.used = figures.live = 0.98;
    guard.look();
    assertEquals(List.of(), ends);
    now += SECOND / 2;
    guard.look();
    now += SECOND / 2;
    figures.used = figures.live = 0.9; // it helped
    guard.look();
    now += 10 * SECOND;
    figures.used = figures.live = 0.98;
    guard.look();
    assertEquals(List.of(), ends);
    now += 2 * SECOND;
    guard.look();
    assertEquals(1, ends.size());
    assertTrue(ends.getFirst().contains("98 % of the heap"), ends.getFirst());
  }

  @Test
  void looksWhenBytesComeAndMuchMemoryIsInUse() throws InterruptedException {
    var own = new MemoryBudget(1, 1, new SimpleMeterRegistry());
    try (var _ = MemoryGuard.start(own, figures, new SimpleMeterRegistry())) {
      own.connections().active();
      figures.used = 0.9;
      figures.live = 0.1;
      assertEquals(1, figures.looked.getCount());
      own.connections().active();
      assertTrue(figures.looked.await(30, TimeUnit.SECONDS));
    }
  }
}
