package dev.rollcall.gateway.limit;

import static java.util.Objects.requireNonNull;

import dev.rollcall.gateway.identity.Identified;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.Optional;

/** Refuses calls beyond the limits of whoever makes them. */
public final class Limited implements ServerInterceptor {
  private static final Context.Key<Limits.Allowance> KEY = Context.key("rollcall-allowance");

  private final Limits limits;
  private final Metadata.Key<String> named;

  /**
   * @param named where a node names the user for whom it asks
   */
  public Limited(Limits limits, Metadata.Key<String> named) {
    this.limits = limits;
    this.named = named;
  }

  /** What the call for which this code runs may still ask. */
  public static Limits.Allowance current() {
    return requireNonNull(KEY.get(), "no call is being served here");
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    Limits.Allowance allowance =
        limits.begin(Identified.current(), Optional.ofNullable(headers.get(named)));
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
    private final Limits.Allowance allowance;

    Ending(ServerCall.Listener<Q> listener, Limits.Allowance allowance) {
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
