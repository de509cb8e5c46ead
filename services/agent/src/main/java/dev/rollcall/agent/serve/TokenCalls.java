package dev.rollcall.agent.serve;

import dev.rollcall.proto.v1.IssueTokenRequest;
import dev.rollcall.proto.v1.IssueTokenResponse;
import dev.rollcall.proto.v1.TokenServiceGrpc;
import io.grpc.stub.StreamObserver;

/** The gateway's tokens, for the node's users. */
final class TokenCalls extends TokenServiceGrpc.TokenServiceImplBase {
  private final Upstream upstream;

  TokenCalls(Upstream upstream) {
    this.upstream = upstream;
  }

  @Override
  public void issueToken(IssueTokenRequest request, StreamObserver<IssueTokenResponse> client) {
    Answering.once(
        client,
        () ->
            upstream.ask(
                Asker.current(),
                TokenServiceGrpc.getIssueTokenMethod(),
                request,
                Upstream.PATIENCE));
  }
}
