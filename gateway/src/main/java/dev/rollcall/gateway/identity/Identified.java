package dev.rollcall.gateway.identity;

import static java.util.Objects.requireNonNull;

import dev.rollcall.wire.grpc.Peer;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

/** Ends a call of a peer that is not recognised; services of the others know who calls. */
public final class Identified implements ServerInterceptor {
  private static final Context.Key<Identity> KEY = Context.key("rollcall-identity");

  private final Identities identities;

  public Identified(Identities identities) {
    this.identities = identities;
  }

  /** Who makes the call for which this code runs. */
  public static Identity current() {
    return requireNonNull(KEY.get(), "no call is being served here");
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    return switch (identities.of(Peer.current())) {
      case Recognition.Known(Identity identity) ->
          Contexts.interceptCall(Context.current().withValue(KEY, identity), call, headers, next);
      case Recognition.Refused(String reason) ->
          throw Status.PERMISSION_DENIED.withDescription(reason).asRuntimeException();
    };
  }
}
