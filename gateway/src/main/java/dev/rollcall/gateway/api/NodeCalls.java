package dev.rollcall.gateway.api;

import dev.rollcall.gateway.work.Workers;
import dev.rollcall.port.Roll;
import dev.rollcall.proto.v1.ListNodesRequest;
import dev.rollcall.proto.v1.ListNodesResponse;
import dev.rollcall.proto.v1.NodeServiceGrpc;
import dev.rollcall.wire.NodeWords;
import io.grpc.stub.StreamObserver;
import java.util.Comparator;

/** NodeService. Which nodes there are is no secret to nodes and users. */
public final class NodeCalls extends NodeServiceGrpc.NodeServiceImplBase {
  private final Roll roll;
  private final Workers workers;

  public NodeCalls(Roll roll, Workers workers) {
    this.roll = roll;
    this.workers = workers;
  }

  @Override
  public void listNodes(ListNodesRequest request, StreamObserver<ListNodesResponse> responses) {
    boolean shown = Access.current().maySeeNodes();
    Answering.with(
        workers.run(() -> shown ? nodes() : ListNodesResponse.getDefaultInstance()), responses);
  }

  private ListNodesResponse nodes() {
    var response = ListNodesResponse.newBuilder();
    roll.nodes().stream()
        .sorted(Comparator.comparing(node -> node.attendance().epoch().node().text()))
        .forEach(node -> response.addNodes(NodeWords.toProto(node)));
    return response.build();
  }
}
