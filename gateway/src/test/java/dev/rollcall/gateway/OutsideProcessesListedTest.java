package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.gateway.TestGateways.World;
import dev.rollcall.proto.v1.ListOutsideProcessesRequest;
import dev.rollcall.proto.v1.ListOutsideProcessesResponse;
import dev.rollcall.proto.v1.NodeOutsideProcesses;
import dev.rollcall.proto.v1.NodeServiceGrpc;
import dev.rollcall.proto.v1.OutsideProcess;
import dev.rollcall.wire.CallerMapper;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Processes in no job, which nodes are asked about. */
@Timeout(120)
class OutsideProcessesListedTest {
  private static final OutsideProcess ALICES = FakeAgent.outsideProcess(70, 1000);
  private static final OutsideProcess BOBS = FakeAgent.outsideProcess(80, 1001);

  private static ListOutsideProcessesResponse list(
      TestGateways gateways, int gateway, ListOutsideProcessesRequest.Builder request) {
    return NodeServiceGrpc.newBlockingStub(gateways.channel(gateway))
        .withDeadlineAfter(60, TimeUnit.SECONDS)
        .listOutsideProcesses(request.build());
  }

  private static NodeOutsideProcesses told(String node, OutsideProcess... those) {
    return NodeOutsideProcesses.newBuilder()
        .setNode(node)
        .setObservedAt(CallerMapper.timestamp(FakeAgent.NOW))
        .addAllOutsideProcesses(List.of(those))
        .build();
  }

  @ParameterizedTest
  @CsvSource({"MEMORY,0", "MEMORY,1", "GRID,1"})
  void everyNodeIsAskedByAnyGateway(World world, int asker) throws Exception {
    try (var gateways = new TestGateways(world, 2)) {
      var node1 = gateways.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
      var node2 = gateways.agent(0, "node2", "10.0.0.2").connectWithoutJobs();
      node1.escaped(ALICES, BOBS);
      node2.escaped();
      assertEquals(
          List.of(told("node1", ALICES, BOBS), told("node2")),
          list(gateways, asker, ListOutsideProcessesRequest.newBuilder()).getNodesList());
      assertEquals(false, node1.outsideProcessesAsked.remove().hasUid());
      assertEquals(
          List.of(told("node1", BOBS)),
          list(
                  gateways,
                  asker,
                  ListOutsideProcessesRequest.newBuilder().addNodes("node1").setUid(1001))
              .getNodesList());
      assertEquals(1001, node1.outsideProcessesAsked.remove().getUid());
      assertEquals(1, node2.outsideProcessesAsked.size());
    }
  }

  @Test
  void aNodeThatIsSilentOrAwayIsNamed() throws Exception {
    try (var gateways = new TestGateways(World.MEMORY, 2)) {
      gateways.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
      gateways.agent(0, "node2", "10.0.0.2").connectWithoutJobs().escaped(ALICES);
      List<NodeOutsideProcesses> nodes =
          list(
                  gateways,
                  1,
                  ListOutsideProcessesRequest.newBuilder()
                      .addNodes("node2")
                      .addNodes("node1")
                      .addNodes("x"))
              .getNodesList();
      assertEquals(
          List.of(
              NodeOutsideProcesses.newBuilder()
                  .setNode("node1")
                  .setSilence("node node1 did not answer within 3000 ms")
                  .build(),
              told("node2", ALICES),
              NodeOutsideProcesses.newBuilder()
                  .setNode("x")
                  .setSilence("node x is not connected to a gateway")
                  .build()),
          nodes);
    }
  }

  @Test
  void anAnswerHasAsManyNodesAsWereAskedFor() throws Exception {
    try (var gateways = new TestGateways(World.MEMORY, 1)) {
      for (int i = 1; i <= 3; i++) {
        gateways.agent(0, "node" + i, "10.0.0." + i).connectWithoutJobs().escaped();
      }
      var first = list(gateways, 0, ListOutsideProcessesRequest.newBuilder().setPageSize(2));
      assertEquals(List.of(told("node1"), told("node2")), first.getNodesList());
      var rest =
          list(
              gateways,
              0,
              ListOutsideProcessesRequest.newBuilder()
                  .setPageSize(2)
                  .setPageToken(first.getNextPageToken()));
      assertEquals(List.of(told("node3")), rest.getNodesList());
      assertEquals("", rest.getNextPageToken());
      for (int size : List.of(33, -1)) {
        var failure =
            assertThrows(
                StatusRuntimeException.class,
                () ->
                    list(gateways, 0, ListOutsideProcessesRequest.newBuilder().setPageSize(size)));
        assertEquals(Status.Code.INVALID_ARGUMENT, failure.getStatus().getCode());
      }
    }
  }

  /** Root of a node may say what they like: no more of it than fits. */
  @Test
  void whatANodeTellsIsBounded() throws Exception {
    try (var gateways = new TestGateways(World.MEMORY, 1)) {
      var node1 = gateways.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
      node1.escaped(
          IntStream.rangeClosed(1, 5_000)
              .mapToObj(pid -> FakeAgent.outsideProcess(pid, 1000))
              .toArray(OutsideProcess[]::new));
      NodeOutsideProcesses told =
          list(gateways, 0, ListOutsideProcessesRequest.newBuilder()).getNodes(0);
      assertEquals(5_000, told.getOutsideProcessesCount() + told.getLeftOut());
      assertTrue(told.getSerializedSize() < 31_000, told.getSerializedSize() + " bytes");
    }
  }
}
