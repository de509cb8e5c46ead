package dev.rollcall.agent.serve;

import dev.rollcall.proto.v1.ListNodesRequest;
import dev.rollcall.proto.v1.ListNodesResponse;
import dev.rollcall.proto.v1.NodeServiceGrpc;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.TimeUnit;

/** The cluster's nodes, which the gateway knows. */
final class NodeCalls extends NodeServiceGrpc.NodeServiceImplBase {
  private static final long PATIENCE_MS = 5_000;

  private final Upstream upstream;

  NodeCalls(Upstream upstream) {
    this.upstream = upstream;
  }

  @Override
  public void listNodes(ListNodesRequest request, StreamObserver<ListNodesResponse> client) {
    Answering.once(
        client,
        () ->
            upstream
                .required(Asker.current())
                .compose(channel -> {
                  var gateway =
                      NodeServiceGrpc.newStub(channel)
                          .withDeadlineAfter(PATIENCE_MS, TimeUnit.MILLISECONDS);
                  return Upstream.<ListNodesRequest, ListNodesResponse>ask(
                      request, gateway::listNodes);
                }));
  }
}
