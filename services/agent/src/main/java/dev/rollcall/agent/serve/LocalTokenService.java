package dev.rollcall.agent.serve;

import dev.rollcall.proto.v1.IssueTokenRequest;
import dev.rollcall.proto.v1.IssueTokenResponse;
import dev.rollcall.proto.v1.TokenServiceGrpc;
import io.grpc.stub.StreamObserver;

/** The gateway's tokens, for the node's users. */
final class LocalTokenService extends TokenServiceGrpc.TokenServiceImplBase {
  private final Upstream upstream;

  LocalTokenService(Upstream upstream) {
    this.upstream = upstream;
  }

  @Override
  public void issueToken(IssueTokenRequest request, StreamObserver<IssueTokenResponse> client) {
    upstream.pass(client, TokenServiceGrpc.getIssueTokenMethod(), request, Upstream.PATIENCE);
  }
}
