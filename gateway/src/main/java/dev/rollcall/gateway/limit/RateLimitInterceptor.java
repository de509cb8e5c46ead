package dev.rollcall.gateway.limit;

import static java.util.Objects.requireNonNull;

import dev.rollcall.gateway.identity.AuthenticationInterceptor;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.Optional;

/** Refuses calls beyond the limits of their client. */
public final class RateLimitInterceptor implements ServerInterceptor {
  private static final Context.Key<IdentityLimits.Allowance> KEY =
      Context.key("rollcall-allowance");

  private final IdentityLimits limits;
  private final Metadata.Key<String> named;

  /**
   * @param named where a node names the user for whom it asks
   */
  public RateLimitInterceptor(IdentityLimits limits, Metadata.Key<String> named) {
    this.limits = limits;
    this.named = named;
  }

  /** What the call for which this code runs may still ask. */
  public static IdentityLimits.Allowance current() {
    return requireNonNull(KEY.get(), "no call is being served here");
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    IdentityLimits.Allowance allowance =
        limits.begin(AuthenticationInterceptor.current(), Optional.ofNullable(headers.get(named)));
    try {
      // Ends with the call, for whatever reason.
      Context context = Context.current().withValue(KEY, allowance);
      return new Ending<>(Contexts.interceptCall(context, call, headers, next), allowance);
    } catch (RuntimeException | Error e) {
      allowance.end();
      throw e;
    }
  }

  private static final class Ending<Q> extends SimpleForwardingServerCallListener<Q> {
    private final IdentityLimits.Allowance allowance;

    Ending(ServerCall.Listener<Q> listener, IdentityLimits.Allowance allowance) {
      super(listener);
      this.allowance = allowance;
    }

    @Override
    public void onCancel() {
      allowance.end();
      super.onCancel();
    }

    @Override
    public void onComplete() {
      allowance.end();
      super.onComplete();
    }
  }
}
