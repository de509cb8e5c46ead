package dev.rollcall.gateway.stream;

import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll.Registration;
import dev.rollcall.proto.roll.v1.ConnectResponse;

/** A node whose stream is open at this gateway. */
public record ConnectedNode(Registration registration, Outgoing<ConnectResponse> orders) {
  public NodeName name() {
    return registration.node();
  }
}
