package dev.rollcall.wire.grpc;

import static java.util.Objects.requireNonNull;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

/** Puts a {@link GuardedCall} between the bridge and each call of a service. */
final class Guard implements ServerInterceptor {
  private final boolean hearsOut;

  private Guard(boolean hearsOut) {
    this.hearsOut = hearsOut;
  }

  /** For calls of the bridge: their only request is heard before they are closed. */
  static Guard ofTheBridge() {
    return new Guard(true);
  }

  /** For calls that end without having heard what the client says. */
  static Guard ofDirectCalls() {
    return new Guard(false);
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    LiveCall live = requireNonNull(LiveCall.KEY.get());
    var guarded = new GuardedCall<>(call, live, hearsOut);
    live.guard(guarded);
    // This context ends at the deadline, and nobody else is told of it.
    Context.current().addListener(_ -> live.cancel("the deadline has passed"), Runnable::run);
    try {
      return guarded.guard(next.startCall(guarded, headers));
    } catch (RuntimeException | Error e) {
      guarded.failed(e);
      return guarded.guard(new ServerCall.Listener<>() {});
    }
  }
}
