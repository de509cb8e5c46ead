package dev.rollcall.gateway.stream;

import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll.Registration;
import dev.rollcall.proto.roll.v1.ConnectResponse;

/**
 * A node whose stream is open at this gateway.
 *
 * @param pushing the nodes that pushed callers to it on this stream
 */
public record ConnectedNode(
    Registration registration, Outgoing<ConnectResponse> orders, PushingNodes pushing) {
  public ConnectedNode(Registration registration, Outgoing<ConnectResponse> orders) {
    this(registration, orders, new PushingNodes(System::nanoTime));
  }

  public NodeName name() {
    return registration.node();
  }

  public void send(ConnectResponse order) {
    if (order.hasAnnouncement()) {
      pushing.add(order.getAnnouncement().getCaller().getNode());
    }
    orders.send(order);
  }
}
