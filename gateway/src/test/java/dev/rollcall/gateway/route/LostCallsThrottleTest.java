package dev.rollcall.gateway.route;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import dev.rollcall.proto.roll.v1.CallsLost;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LostCallsThrottleTest {
  private final List<String> passed = new ArrayList<>();
  private final LostCallsThrottle throttle =
      new LostCallsThrottle(lost -> passed.add(lost.getNode() + lost.getAddress().toStringUtf8()));

  private void lost(String node, String address) {
    throttle.lost(
        CallsLost.newBuilder().setNode(node).setAddress(ByteString.copyFromUtf8(address)).build());
  }

  private List<String> passed() {
    List<String> before = List.copyOf(passed);
    passed.clear();
    return before;
  }

  @Test
  void theFirstIsPassedOnAtOnceAndTheRestTogether() {
    lost("node1", "");
    assertEquals(List.of("node1"), passed());
    lost("node1", "");
    lost("node1", "");
    assertEquals(List.of(), passed());
    throttle.tick();
    assertEquals(List.of("node1"), passed());
  }

  @Test
  void aSecondAfterTheLastTheNextIsPassedOnAtOnce() {
    lost("node1", "");
    lost("node1", "");
    throttle.tick();
    assertEquals(List.of("node1", "node1"), passed());
    lost("node1", "");
    assertEquals(List.of(), passed());
    throttle.tick();
    throttle.tick();
    assertEquals(List.of("node1"), passed());
    lost("node1", "");
    assertEquals(List.of("node1"), passed());
  }

  @Test
  void nodesAndAddressesDoNotWaitForEachOther() {
    lost("node1", "");
    lost("node2", "");
    lost("node1", "@10.0.0.1");
    lost("node1", "@10.0.0.2");
    assertEquals(List.of("node1", "node2", "node1@10.0.0.1", "node1@10.0.0.2"), passed());
    throttle.tick();
    assertEquals(List.of(), passed());
  }
}
