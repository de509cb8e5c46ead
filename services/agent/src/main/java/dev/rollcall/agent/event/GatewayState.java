package dev.rollcall.agent.event;

import io.grpc.Channel;

/** The state of this node's connection to a gateway. */
public sealed interface GatewayState {
  /**
   * The stream stands.
   *
   * @param gateway host:port
   * @param channel for calls beside the stream
   */
  record Connected(String gateway, Channel channel) implements GatewayState {}

  /**
   * There is no stream.
   *
   * @param why for people, naming the gateway that was tried last
   */
  record Absent(String why) implements GatewayState {}
}
