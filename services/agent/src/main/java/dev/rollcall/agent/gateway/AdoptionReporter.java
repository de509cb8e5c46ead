package dev.rollcall.agent.gateway;

import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.AdoptionMapper;
import dev.rollcall.model.NodeName;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Predicate;

/**
 * Reports the decisions of this node to the gateway. They are not essential: those that cannot be
 * sent wait, and the oldest are dropped if too many wait. Not thread-safe.
 */
final class AdoptionReporter {
  static final int MOST_WAITING = 1_024;

  private final Queue<ConnectRequest> waiting = new ArrayDeque<>();
  private final NodeName node;
  private final Predicate<ConnectRequest> offer;
  private final GatewayConnectionMeters meters;

  /**
   * @param offer sends if there is a stream that keeps up; returns whether it did
   */
  AdoptionReporter(NodeName node, Predicate<ConnectRequest> offer, GatewayConnectionMeters meters) {
    this.node = node;
    this.offer = offer;
    this.meters = meters;
  }

  void tell(Adoption adoption) {
    waiting.add(
        ConnectRequest.newBuilder().setAdoption(AdoptionMapper.message(adoption, node)).build());
    if (waiting.size() > MOST_WAITING) {
      waiting.remove();
      meters.adoptionsLeftOut.increment();
    }
    tellWaiting();
  }

  /** There may be a stream again. */
  void tellWaiting() {
    while (!waiting.isEmpty() && offer.test(waiting.element())) {
      waiting.remove();
      meters.adoptionsTold.increment();
    }
  }
}
