package dev.rollcall.gateway.stream;

import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll.Sitting;
import dev.rollcall.proto.roll.v1.AttendResponse;

/** A node whose stream this gateway holds. */
public record ConnectedNode(Sitting sitting, Outgoing<AttendResponse> orders) {
  public NodeName name() {
    return sitting.node();
  }
}
