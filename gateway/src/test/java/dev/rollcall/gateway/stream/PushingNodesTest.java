package dev.rollcall.gateway.stream;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PushingNodesTest {
  private final AtomicLong nanos = new AtomicLong();
  private final PushingNodes pushing = new PushingNodes(nanos::get);

  @Test
  void aPushingNodeIsRememberedForFifteenMinutesAtLeast() {
    nanos.set(PushingNodes.KEEP.toNanos() - 1);
    pushing.add("n00001");
    nanos.addAndGet(PushingNodes.KEEP.toNanos());
    assertTrue(pushing.mayHave("n00001"));
    nanos.addAndGet(PushingNodes.KEEP.toNanos());
    assertFalse(pushing.mayHave("n00001"));
  }

  @Test
  void ofTenThousandNodesFewAreTakenForOnesThatPushed() {
    IntStream.range(0, 40).forEach(node -> pushing.add(name(node)));
    assertTrue(IntStream.range(0, 40).allMatch(node -> pushing.mayHave(name(node))));
    long needless = IntStream.range(40, 10_000).filter(node -> pushing.mayHave(name(node))).count();
    assertTrue(needless < 200, needless + " nodes");
  }

  private static String name(int node) {
    return "n%05d".formatted(node);
  }
}
