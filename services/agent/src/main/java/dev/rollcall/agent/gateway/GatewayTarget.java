package dev.rollcall.agent.gateway;

import dev.rollcall.wire.trace.Span;
import io.grpc.Channel;

/**
 * A gateway that this node may connect to.
 *
 * @param name host:port
 */
public record GatewayTarget(String name, Channel channel) {
  /** A question to it, as a part of what it is asked for. */
  Span asked(Span of) {
    return of.child("ask gateway", Span.Kind.CLIENT).with("rollcall.gateway", name);
  }
}
