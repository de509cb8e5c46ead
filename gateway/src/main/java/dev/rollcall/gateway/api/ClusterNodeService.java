package dev.rollcall.gateway.api;

import dev.rollcall.gateway.work.Workers;
import dev.rollcall.port.Roll;
import dev.rollcall.port.Roll.NodeEntry;
import dev.rollcall.proto.v1.ListNodesRequest;
import dev.rollcall.proto.v1.ListNodesResponse;
import dev.rollcall.proto.v1.ListOutsideProcessesRequest;
import dev.rollcall.proto.v1.ListOutsideProcessesResponse;
import dev.rollcall.proto.v1.NodeServiceGrpc;
import dev.rollcall.wire.NodeMapper;
import dev.rollcall.wire.Page;
import io.grpc.stub.StreamObserver;
import java.util.Comparator;
import java.util.List;

/**
 * Serves NodeService for the whole cluster. Which nodes there are is no secret to nodes and users.
 */
public final class ClusterNodeService extends NodeServiceGrpc.NodeServiceImplBase {
  private final Roll roll;
  private final Workers workers;
  private final OutsideProcessListing outsideProcesses;

  public ClusterNodeService(Roll roll, Workers workers, OutsideProcessListing outsideProcesses) {
    this.roll = roll;
    this.workers = workers;
    this.outsideProcesses = outsideProcesses;
  }

  @Override
  public void listOutsideProcesses(
      ListOutsideProcessesRequest request, StreamObserver<ListOutsideProcessesResponse> responses) {
    ServiceReplies.once(responses, asker -> outsideProcesses.list(asker, request));
  }

  @Override
  public void listNodes(ListNodesRequest request, StreamObserver<ListNodesResponse> responses) {
    ServiceReplies.once(
        responses,
        asker -> {
          boolean shown = asker.maySeeNodes();
          var page = Page.of(request.getPageSize(), request.getPageToken());
          return workers.run(() -> shown ? nodes(page) : ListNodesResponse.getDefaultInstance());
        });
  }

  private ListNodesResponse nodes(Page page) {
    List<NodeEntry> all =
        roll.nodes().stream().sorted(Comparator.comparing(ClusterNodeService::name)).toList();
    Page.Part<NodeEntry> part = page.of(all, ClusterNodeService::name);
    return ListNodesResponse.newBuilder()
        .addAllNodes(part.items().stream().map(NodeMapper::toProto).toList())
        .setNextPageToken(part.nextToken())
        .build();
  }

  private static String name(NodeEntry node) {
    return node.node().text();
  }
}
