package dev.rollcall.agent.serve;

import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.OutsideProcessMapper;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.model.NodeName;
import dev.rollcall.proto.v1.ListNodesRequest;
import dev.rollcall.proto.v1.ListNodesResponse;
import dev.rollcall.proto.v1.ListOutsideProcessesRequest;
import dev.rollcall.proto.v1.ListOutsideProcessesResponse;
import dev.rollcall.proto.v1.NodeServiceGrpc;
import dev.rollcall.wire.OutsideProcessesSeen;
import io.grpc.stub.StreamObserver;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** The cluster's nodes, which the gateway knows, and what of this one is in no job. */
record LocalNodeService(Bus bus, NodeName node, Upstream upstream)
    implements NodeServiceGrpc.AsyncService {
  @Override
  public void listNodes(ListNodesRequest request, StreamObserver<ListNodesResponse> client) {
    upstream.pass(client, NodeServiceGrpc.getListNodesMethod(), request, Upstream.PATIENCE);
  }

  @Override
  public void listOutsideProcesses(
      ListOutsideProcessesRequest request, StreamObserver<ListOutsideProcessesResponse> client) {
    GrpcReplies.once(
        client,
        asker -> {
          List<String> nodes = OutsideProcessesSeen.nodes(request);
          return nodes.stream().allMatch(node.text()::equals)
              ? here(asker, request)
              : upstream.ask(
                  asker,
                  NodeServiceGrpc.getListOutsideProcessesMethod(),
                  request,
                  Upstream.PATIENCE);
        });
  }

  private Future<ListOutsideProcessesResponse> here(
      SocketUser asker, ListOutsideProcessesRequest request) {
    Optional<Integer> wanted = request.hasUid() ? Optional.of(request.getUid()) : Optional.empty();
    Optional<Integer> uid = asker.root() ? wanted : Optional.of(wanted.orElse(asker.uid()));
    return bus.ask(Queries.OUTSIDE_PROCESSES_LISTED, uid, Upstream.PATIENCE)
        .map(found ->
            ListOutsideProcessesResponse.newBuilder()
                .addNodes(
                    OutsideProcessesSeen.by(asker::may, OutsideProcessMapper.message(found, node)))
                .build());
  }
}
