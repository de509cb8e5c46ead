package dev.rollcall.gateway.api;

import dev.rollcall.gateway.identity.AuthenticationInterceptor;
import dev.rollcall.gateway.identity.Identity;
import dev.rollcall.gateway.identity.Tokens;
import dev.rollcall.proto.v1.IssueTokenRequest;
import dev.rollcall.proto.v1.IssueTokenResponse;
import dev.rollcall.proto.v1.TokenServiceGrpc;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.Refusal;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Issues tokens to clients that the gateway authenticates itself. */
public final class ClusterTokenService extends TokenServiceGrpc.TokenServiceImplBase {
  private final Optional<Tokens> tokens;

  /**
   * @param tokens absent: none are given
   */
  public ClusterTokenService(Optional<Tokens> tokens) {
    this.tokens = tokens;
  }

  @Override
  public void issueToken(IssueTokenRequest request, StreamObserver<IssueTokenResponse> responses) {
    ServiceReplies.once(
        responses, asker -> CompletableFuture.completedFuture(issue(asker, request)));
  }

  private IssueTokenResponse issue(Principal asker, IssueTokenRequest request) {
    Tokens given =
        tokens.orElseThrow(() ->
            Refusal.plain(
                Status.FAILED_PRECONDITION,
                "this gateway issues no tokens: gateway.yaml does not set tokens"));
    Duration lifetime = lifetime(request, given.most());
    if (AuthenticationInterceptor.byToken()) {
      throw denied("a token cannot be used to get another token");
    }
    Identity holder = holder(asker, AuthenticationInterceptor.current());
    Tokens.Issued issued =
        switch (holder) {
          case Identity.Administrator administrator -> given.issue(administrator, lifetime);
          case Identity.Person person -> given.issue(person, lifetime);
          case Identity.Node _,
              Identity.Gateway _,
              Identity.Service _,
              Identity.Embedded _,
              Identity.Stranger _ ->
              throw denied(holder + " is not a user: only users get tokens");
        };
    return IssueTokenResponse.newBuilder()
        .setToken(issued.text())
        .setExpiresAt(CallerMapper.timestamp(issued.expiresAt()))
        .setHolder(holder.toString())
        .build();
  }

  private static Duration lifetime(IssueTokenRequest request, Duration most) {
    int hours = request.getHours();
    if (hours < 0 || hours > most.toHours()) {
      throw new BadWordException(
          "hours",
          Integer.toUnsignedString(hours) + " is more than this gateway allows: " + most.toHours());
    }
    return hours == 0 ? most : Duration.ofHours(hours);
  }

  /** Compute nodes get no tokens for users, because their root could name any user. */
  private static Identity holder(Principal asker, Identity identity) {
    return switch (asker) {
      case Principal.Everybody(), Principal.Root _, Principal.Service _, Principal.Nobody() ->
          identity;
      case Principal.User(int uid) -> new Identity.Person(uid);
      case Principal.UserAt(_, Identity.Node node) ->
          throw denied(node + " is not a login node: users get tokens on login nodes, or by munge");
    };
  }

  private static StatusRuntimeException denied(String why) {
    return Refusal.plain(Status.PERMISSION_DENIED, why);
  }
}
