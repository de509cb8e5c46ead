package dev.rollcall.agent.attend;

import io.grpc.Channel;

/**
 * A gateway that this node may attend.
 *
 * @param name host:port
 */
public record Gateway(String name, Channel channel) {}
