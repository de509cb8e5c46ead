package dev.rollcall.wire.local;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import java.nio.file.Path;

/**
 * A channel for gRPC-java stubs to the agent of this node, by frames: a connection and a virtual
 * thread for each call. All requests of a call are sent when the client has given its last one.
 * Calls end exactly once and by their deadline at the latest; an agent that is not reached, or is
 * lost, is UNAVAILABLE with the socket and the cause.
 */
public final class LocalChannel extends Channel {
  private final Path socket;

  public LocalChannel(Path socket) {
    this.socket = socket;
  }

  @Override
  public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
    return new LocalClientCall<>(socket, method, options);
  }

  /** The socket's path. */
  @Override
  public String authority() {
    return socket.toString();
  }
}
