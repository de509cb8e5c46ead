package dev.rollcall.gateway.identity;

import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.Refusal.Reason;
import dev.rollcall.wire.grpc.CallContext;
import io.grpc.Context;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Ends a call with UNAUTHENTICATED when the token that began it expires. Its service is cancelled,
 * as if the client had gone.
 */
final class ExpiringCall<Q> extends SimpleForwardingServerCallListener<Q> {
  private boolean expired;

  private ExpiringCall(ServerCall.Listener<Q> service) {
    super(service);
  }

  /** Where the call begins: in its context, which ends with it. */
  static <Q> ServerCall.Listener<Q> end(
      ServerCall<Q, ?> call, ServerCall.Listener<Q> service, Duration after) {
    var listener = new ExpiringCall<Q>(service);
    // A call that ends before takes its timer with it.
    var over = new CompletableFuture<Boolean>();
    var _ =
        over.thenAcceptAsync(
            expires -> {
              if (expires) {
                listener.expire(call);
              }
            },
            CallContext.executor());
    var _ = over.completeOnTimeout(true, after.toNanos(), TimeUnit.NANOSECONDS);
    Context.current().addListener(_ -> over.complete(false), Runnable::run);
    return listener;
  }

  private void expire(ServerCall<Q, ?> call) {
    StatusRuntimeException why =
        Refusal.of(Reason.NOT_IDENTIFIED, "the token expired: ask for another, by rollcall token")
            .exception();
    Metadata trailers = why.getTrailers();
    expired = true;
    call.close(why.getStatus(), trailers == null ? new Metadata() : trailers);
    super.onCancel();
  }

  @Override
  public void onCancel() {
    if (!expired) {
      super.onCancel();
    }
  }

  @Override
  public void onComplete() {
    // A service is told one end.
    if (!expired) {
      super.onComplete();
    }
  }
}
