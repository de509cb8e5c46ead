package dev.rollcall.gateway.api;

import dev.rollcall.gateway.identity.Identified;
import dev.rollcall.gateway.identity.Identity;
import dev.rollcall.gateway.identity.Tokens;
import dev.rollcall.proto.v1.IssueTokenRequest;
import dev.rollcall.proto.v1.IssueTokenResponse;
import dev.rollcall.proto.v1.TokenServiceGrpc;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.Words;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Gives tokens to those of whom the gateway itself knows who they are. */
public final class TokenCalls extends TokenServiceGrpc.TokenServiceImplBase {
  private final Optional<Tokens> tokens;

  /**
   * @param tokens absent: none are given
   */
  public TokenCalls(Optional<Tokens> tokens) {
    this.tokens = tokens;
  }

  @Override
  public void issueToken(IssueTokenRequest request, StreamObserver<IssueTokenResponse> responses) {
    Answering.once(responses, () -> CompletableFuture.completedFuture(issue(request)));
  }

  private IssueTokenResponse issue(IssueTokenRequest request) {
    Tokens given =
        tokens.orElseThrow(() ->
            Refusal.plain(
                Status.FAILED_PRECONDITION,
                "this gateway gives no tokens: tokens is not in gateway.yaml"));
    Duration lifetime = lifetime(request, given.most());
    if (Identified.byToken()) {
      throw denied("a token gives no other token");
    }
    Identity holder = holder(Access.current(), Identified.current());
    Tokens.Issued issued =
        switch (holder) {
          case Identity.Administrator administrator -> given.issue(administrator, lifetime);
          case Identity.Person person -> given.issue(person, lifetime);
          case Identity.Node _,
              Identity.Gateway _,
              Identity.Service _,
              Identity.Embedded _,
              Identity.Stranger _ ->
              throw denied(holder + " is no person: people alone get tokens");
        };
    return IssueTokenResponse.newBuilder()
        .setToken(issued.text())
        .setExpiresAt(Words.timestamp(issued.expiresAt()))
        .setHolder(holder.toString())
        .build();
  }

  private static Duration lifetime(IssueTokenRequest request, Duration most) {
    int hours = request.getHours();
    if (hours < 0 || hours > most.toHours()) {
      throw new BadWordException(
          "hours",
          Integer.toUnsignedString(hours) + " is more than this gateway gives: " + most.toHours());
    }
    return hours == 0 ? most : Duration.ofHours(hours);
  }

  /** Root of a compute node could name anybody: what it says of users makes no token. */
  private static Identity holder(Asker asker, Identity identity) {
    return switch (asker) {
      case Asker.Everybody(), Asker.Root _, Asker.Service _, Asker.Nobody() -> identity;
      case Asker.User(int uid) -> new Identity.Person(uid);
      case Asker.UserAt(_, Identity.Node node) ->
          throw denied(node + " is no login node: users get their tokens there, or by munge");
    };
  }

  private static StatusRuntimeException denied(String why) {
    return Refusal.plain(Status.PERMISSION_DENIED, why);
  }
}
