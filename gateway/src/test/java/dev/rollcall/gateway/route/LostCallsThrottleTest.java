package dev.rollcall.gateway.route;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.proto.roll.v1.CallsLost;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LostCallsThrottleTest {
  private final List<String> passed = new ArrayList<>();
  private final LostCallsThrottle throttle =
      new LostCallsThrottle(lost -> passed.add(lost.getNode() + " " + lost.getLost()));

  private void lost(String node, long calls) {
    throttle.lost(CallsLost.newBuilder().setNode(node).setLost(calls).build());
  }

  private List<String> passed() {
    List<String> before = List.copyOf(passed);
    passed.clear();
    return before;
  }

  @Test
  void theFirstIsPassedOnAtOnceAndTheRestTogether() {
    lost("node1", 3);
    assertEquals(List.of("node1 3"), passed());
    lost("node1", 4);
    lost("node1", 5);
    assertEquals(List.of(), passed());
    throttle.tick();
    assertEquals(List.of("node1 9"), passed());
  }

  @Test
  void aSecondAfterTheLastTheNextIsPassedOnAtOnce() {
    lost("node1", 1);
    lost("node1", 2);
    throttle.tick();
    assertEquals(List.of("node1 1", "node1 2"), passed());
    lost("node1", 3);
    assertEquals(List.of(), passed());
    throttle.tick();
    throttle.tick();
    assertEquals(List.of("node1 3"), passed());
    lost("node1", 4);
    assertEquals(List.of("node1 4"), passed());
  }

  @Test
  void nodesDoNotWaitForEachOther() {
    lost("node1", 1);
    lost("node2", 2);
    assertEquals(List.of("node1 1", "node2 2"), passed());
    throttle.tick();
    assertEquals(List.of(), passed());
  }
}
