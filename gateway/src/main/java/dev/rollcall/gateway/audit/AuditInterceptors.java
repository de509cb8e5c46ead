package dev.rollcall.gateway.audit;

import static java.util.Objects.requireNonNull;

import dev.rollcall.gateway.identity.AuthenticationInterceptor;
import dev.rollcall.gateway.identity.Identity;
import dev.rollcall.wire.audit.CallOutcome;
import dev.rollcall.wire.audit.HeardCalls;
import dev.rollcall.wire.grpc.Peer;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import org.jspecify.annotations.Nullable;

/**
 * Reports calls to the audit log, with two interceptors: one outside authentication for refused
 * clients, one inside it for known ones.
 */
public final class AuditInterceptors implements ServerInterceptor {
  private static final Context.Key<Caller> KEY = Context.key("rollcall-audited");

  /** Holds the peer of one call, and its identity as soon as it is known. */
  private static final class Caller {
    private final Peer peer;
    private volatile @Nullable Identity identity;

    Caller(Peer peer) {
      this.peer = peer;
    }
  }

  private final GatewayAudit audit;
  private final HeardCalls heard;

  public AuditInterceptors(GatewayAudit audit) {
    this.audit = audit;
    this.heard =
        new HeardCalls(() -> {
          Caller caller = requireNonNull(KEY.get(), "no call is being served here");
          return outcome -> over(caller, outcome);
        });
  }

  private void over(Caller caller, CallOutcome outcome) {
    Identity identity = caller.identity;
    if (identity != null) {
      audit.over(identity, outcome);
    } else if (outcome.refused()) {
      audit.unrecognised(
          switch (caller.peer) {
            case Peer.Certified certified -> certified.commonName();
            default -> caller.peer.toString();
          },
          outcome);
    }
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    return Contexts.interceptCall(
        Context.current().withValue(KEY, new Caller(Peer.current())),
        call,
        headers,
        (same, these) -> heard.interceptCall(same, these, next));
  }

  /** Must be the first interceptor after the one that identifies the peer. */
  public ServerInterceptor recognised() {
    return new ServerInterceptor() {
      @Override
      public <Q, R> ServerCall.Listener<Q> interceptCall(
          ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        requireNonNull(KEY.get(), "no call is being served here").identity =
            AuthenticationInterceptor.current();
        return next.startCall(call, headers);
      }
    };
  }
}
