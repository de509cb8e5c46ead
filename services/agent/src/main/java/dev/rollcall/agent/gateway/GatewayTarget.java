package dev.rollcall.agent.gateway;

import io.grpc.Channel;
import java.util.function.Consumer;

/**
 * A gateway that this node may connect to.
 *
 * @param name host:port
 * @param whenPinged takes what runs at each ping of the gateway, in place of what it took before
 * @param needed runs whenever a login, or a call of a job, depends on what is sent
 */
public record GatewayTarget(
    String name, Channel channel, Consumer<Runnable> whenPinged, Runnable needed) {}
