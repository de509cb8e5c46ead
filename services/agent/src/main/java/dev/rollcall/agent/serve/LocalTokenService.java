package dev.rollcall.agent.serve;

import dev.rollcall.proto.v1.IssueTokenRequest;
import dev.rollcall.proto.v1.IssueTokenResponse;
import dev.rollcall.proto.v1.TokenServiceGrpc;
import io.grpc.stub.StreamObserver;

/** The gateway's tokens, for the node's users. */
record LocalTokenService(Upstream upstream) implements TokenServiceGrpc.AsyncService {
  @Override
  public void issueToken(IssueTokenRequest request, StreamObserver<IssueTokenResponse> client) {
    upstream.pass(client, TokenServiceGrpc.getIssueTokenMethod(), request, Upstream.PATIENCE);
  }
}
