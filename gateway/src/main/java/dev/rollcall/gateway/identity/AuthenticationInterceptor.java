package dev.rollcall.gateway.identity;

import static java.util.Objects.requireNonNull;

import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.Refusal.Reason;
import dev.rollcall.wire.grpc.BearerToken;
import dev.rollcall.wire.grpc.CallContext;
import dev.rollcall.wire.grpc.MungePurpose;
import dev.rollcall.wire.grpc.Peer;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Ends calls of unknown peers, and gives the identity of the others to the services.
 *
 * @param proofs by munge; absent: none is taken
 * @param tokens absent: none is taken
 */
public record AuthenticationInterceptor(
    CertificateAuthenticator identities, Optional<MungeProofs> proofs, Optional<Tokens> tokens)
    implements ServerInterceptor {
  private static final Context.Key<Identity> KEY = Context.key("rollcall-identity");
  private static final Context.Key<Boolean> BY_TOKEN =
      Context.keyWithDefault("rollcall-by-token", false);

  /** Whether a token proved it, of the call for which this code runs. */
  public static boolean byToken() {
    return BY_TOKEN.get();
  }

  /** Who makes the call for which this code runs. */
  public static Identity current() {
    return requireNonNull(KEY.get(), "no call is being served here");
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    Optional<String> credential = Optional.ofNullable(headers.get(MungePurpose.CREDENTIAL));
    Optional<String> bearer = BearerToken.in(headers);
    return switch (identities.of(Peer.current())) {
      case AuthenticationResult.Known(Identity.Stranger _, _) when bearer.isPresent() ->
          byToken(bearer.get(), call, headers, next);
      case AuthenticationResult.Known(Identity.Stranger stranger, _) ->
          proved(stranger, credential, call, headers, next);
      case AuthenticationResult.Known(Identity.Embedded embedded, _) ->
          start(embedded, call, headers, next);
      case AuthenticationResult.Known(Identity identity, _) -> {
        if (credential.isPresent()) {
          throw denied(identity + " has a certificate, and needs no munge credential");
        }
        if (bearer.isPresent()) {
          throw denied(identity + " has a certificate, and needs no token");
        }
        yield start(identity, call, headers, next);
      }
      case AuthenticationResult.Refused(String reason) -> throw denied(reason);
    };
  }

  private static <Q, R> ServerCall.Listener<Q> start(
      Identity identity, ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    recognised(identity);
    return Contexts.interceptCall(Context.current().withValue(KEY, identity), call, headers, next);
  }

  /** A call of a connection without a certificate counts for who makes it. */
  private static void recognised(Identity identity) {
    if (Peer.current() instanceof Peer.Uncertified stranger
        && !stranger.recognised().test(identity)) {
      throw Refusal.of(
              Reason.MEMORY_EXCEEDED,
              "the requests and answers of " + identity + " hold all the memory that they may use")
          .exception();
    }
  }

  private <Q, R> ServerCall.Listener<Q> byToken(
      String token, ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    AuthenticationResult recognition =
        tokens.orElseThrow(() -> unauthenticated("this gateway accepts no tokens")).of(token);
    return switch (recognition) {
      case AuthenticationResult.Known(Identity identity, Optional<Duration> left) -> {
        recognised(identity);
        var begun =
            Contexts.interceptCall(
                Context.current().withValue(KEY, identity).withValue(BY_TOKEN, true),
                call,
                headers,
                next);
        yield left.isEmpty() ? begun : ExpiringCall.end(call, begun, left.get());
      }
      case AuthenticationResult.Refused(String reason) -> throw unauthenticated(reason);
    };
  }

  /** The call waits, with what the client says, until the proof was looked at. */
  private <Q, R> ServerCall.Listener<Q> proved(
      Identity.Stranger stranger,
      Optional<String> credential,
      ServerCall<Q, R> call,
      Metadata headers,
      ServerCallHandler<Q, R> next) {
    if (proofs.isEmpty() || credential.isEmpty()) {
      throw unauthenticated(stranger + " proves nothing: " + missing());
    }
    CompletableFuture<AuthenticationResult> proof = proofs.get().of(stranger, credential.get());
    var waiting = new WaitingCall<Q>();
    Context context = Context.current();
    var _ =
        proof.whenCompleteAsync(
            (recognition, failure) ->
                context.run(() -> {
                  try {
                    Identity identity = identity(recognition, failure);
                    waiting.goOn(() -> start(identity, call, headers, next));
                  } catch (StatusRuntimeException e) {
                    waiting.drop();
                    call.close(e.getStatus(), trailers(e));
                  }
                }),
            CallContext.executor());
    return waiting;
  }

  private String missing() {
    if (tokens.isEmpty()) {
      return "a munge credential is missing";
    }
    return proofs.isEmpty() ? "a token is missing" : "a munge credential or a token is missing";
  }

  private static Identity identity(
      @Nullable AuthenticationResult recognition, @Nullable Throwable failure) {
    return switch (recognition) {
      case AuthenticationResult.Known(Identity identity, _) -> identity;
      case AuthenticationResult.Refused(String reason) -> throw unauthenticated(reason);
      case null ->
          throw Status.fromThrowable(requireNonNull(failure))
              .asRuntimeException(Status.trailersFromThrowable(failure));
    };
  }

  private static Metadata trailers(StatusRuntimeException refusal) {
    Metadata trailers = refusal.getTrailers();
    return trailers == null ? new Metadata() : trailers;
  }

  private static RuntimeException denied(String why) {
    return Refusal.of(Reason.PEER_REFUSED, why).exception();
  }

  private static StatusRuntimeException unauthenticated(String why) {
    return Refusal.of(Reason.NOT_IDENTIFIED, why).exception();
  }
}
