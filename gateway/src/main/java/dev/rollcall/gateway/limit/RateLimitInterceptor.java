package dev.rollcall.gateway.limit;

import static java.util.Objects.requireNonNull;

import dev.rollcall.gateway.identity.AuthenticationInterceptor;
import dev.rollcall.wire.grpc.CallContext;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.Optional;

/**
 * Refuses calls beyond the limits of their client.
 *
 * @param named where a node names the user for whom it asks
 */
public record RateLimitInterceptor(IdentityLimits limits, Metadata.Key<String> named)
    implements ServerInterceptor {
  private static final Context.Key<IdentityLimits.Allowance> KEY =
      Context.key("rollcall-allowance");

  /** What the call for which this code runs may still ask. */
  public static IdentityLimits.Allowance current() {
    return requireNonNull(KEY.get(), "no call is being served here");
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    IdentityLimits.Allowance allowance =
        limits.begin(AuthenticationInterceptor.current(), Optional.ofNullable(headers.get(named)));
    CallContext.countBytes(allowance::read);
    Context context = Context.current().withValue(KEY, allowance);
    // The context ends with the call, for whatever reason.
    context.addListener(_ -> allowance.end(), Runnable::run);
    return Contexts.interceptCall(context, call, headers, next);
  }
}
