package dev.rollcall.gateway.stream;

import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll.Registration;
import dev.rollcall.proto.roll.v1.CallsLost;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import java.util.Optional;

/**
 * A node whose stream is open at this gateway.
 *
 * @param pushing the nodes that pushed callers to it on this stream
 */
public record ConnectedNode(
    Registration registration, Outgoing<ConnectResponse> orders, PushingNodes pushing) {
  private static final ConnectResponse ALL_LOST = callsLost("");

  public ConnectedNode(Registration registration, Outgoing<ConnectResponse> orders) {
    this(registration, orders, new PushingNodes(System::nanoTime));
  }

  public NodeName name() {
    return registration.node();
  }

  /**
   * Passes on what others cause. A node that is behind goes without: of callers it is told then
   * that they were lost, and a question ends by its patience.
   */
  public void send(ConnectResponse order) {
    switch (order.getOrderCase()) {
      case ANNOUNCEMENT -> {
        String from = order.getAnnouncement().getCaller().getNode();
        pushing.add(from);
        orders.offer(order, lost(from));
      }
      case WITHDRAWAL -> orders.offer(order, lost(order.getWithdrawal().getNode()));
      case CALLS_LOST -> orders.offer(order, lost(order.getCallsLost().getNode()));
      default -> orders.offer(order, Optional.empty());
    }
  }

  /** Has the node forget all callers that were pushed to it. */
  public void allCallsLost() {
    orders.offer(ALL_LOST, lost(""));
  }

  private static Optional<Outgoing.Replacement<ConnectResponse>> lost(String node) {
    return Optional.of(new Outgoing.Replacement<>(callsLost(node), ALL_LOST));
  }

  private static ConnectResponse callsLost(String node) {
    return ConnectResponse.newBuilder().setCallsLost(CallsLost.newBuilder().setNode(node)).build();
  }
}
