package dev.rollcall.gateway.api;

import dev.rollcall.gateway.route.GatewaysKnown;
import dev.rollcall.gateway.work.Workers;
import dev.rollcall.port.Roll;
import dev.rollcall.port.Roll.NodeEntry;
import dev.rollcall.proto.v1.ListGatewaysRequest;
import dev.rollcall.proto.v1.ListGatewaysResponse;
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
import java.util.concurrent.CompletableFuture;

/**
 * Serves NodeService for the whole cluster. Which nodes there are is no secret to nodes and users.
 */
public final class ClusterNodeService extends NodeServiceGrpc.NodeServiceImplBase {
  /** In the order of their names. */
  private final SharedCopy<List<NodeEntry>> nodes;

  private final Workers workers;
  private final OutsideProcessListing outsideProcesses;

  private final GatewaysKnown gateways;
  private final ListGatewaysResponse links;

  /**
   * @param links of the site's pages
   */
  public ClusterNodeService(
      Roll roll,
      Workers workers,
      OutsideProcessListing outsideProcesses,
      GatewaysKnown gateways,
      ListGatewaysResponse links) {
    this.gateways = gateways;
    this.links = links;
    this.workers = workers;
    this.nodes =
        new SharedCopy<>(
            () ->
                roll.nodes().stream()
                    .sorted(Comparator.comparing(ClusterNodeService::name))
                    .toList(),
            workers,
            System::nanoTime);
    this.outsideProcesses = outsideProcesses;
  }

  @Override
  public void listGateways(
      ListGatewaysRequest request, StreamObserver<ListGatewaysResponse> responses) {
    ServiceReplies.once(
        responses,
        asker ->
            CompletableFuture.completedFuture(
                asker.maySeeNodes()
                    ? links.toBuilder().addAllGateways(gateways.all()).build()
                    : ListGatewaysResponse.getDefaultInstance()));
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
          var page = Page.of(request.getPageSize(), request.getPageToken());
          return asker.maySeeNodes()
              ? nodes.get().thenCompose(all -> workers.run(() -> part(page, all)))
              : CompletableFuture.completedFuture(ListNodesResponse.getDefaultInstance());
        });
  }

  private static ListNodesResponse part(Page page, List<NodeEntry> all) {
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
