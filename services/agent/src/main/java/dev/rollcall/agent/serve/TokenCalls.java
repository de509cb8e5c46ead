package dev.rollcall.agent.serve;

import dev.rollcall.proto.v1.IssueTokenRequest;
import dev.rollcall.proto.v1.IssueTokenResponse;
import dev.rollcall.proto.v1.TokenServiceGrpc;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.TimeUnit;

/** The gateway's tokens, for the node's users. */
final class TokenCalls extends TokenServiceGrpc.TokenServiceImplBase {
  private static final long PATIENCE_MS = 5_000;

  private final Upstream upstream;

  TokenCalls(Upstream upstream) {
    this.upstream = upstream;
  }

  @Override
  public void issueToken(IssueTokenRequest request, StreamObserver<IssueTokenResponse> client) {
    Answering.once(
        client,
        () ->
            upstream
                .required(Asker.current())
                .compose(channel -> {
                  var gateway =
                      TokenServiceGrpc.newStub(channel)
                          .withDeadlineAfter(PATIENCE_MS, TimeUnit.MILLISECONDS);
                  return Upstream.<IssueTokenRequest, IssueTokenResponse>ask(
                      request, gateway::issueToken);
                }));
  }
}
