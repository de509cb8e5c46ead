package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll;
import dev.rollcall.proto.v1.AdoptionServiceGrpc;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.GetRequest;
import dev.rollcall.proto.v1.IdentifyProcessRequest;
import dev.rollcall.proto.v1.IdentifyProcessesRequest;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.ListNodesRequest;
import dev.rollcall.proto.v1.ListOutsideProcessesRequest;
import dev.rollcall.proto.v1.ListProcessesRequest;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.NodeServiceGrpc;
import dev.rollcall.proto.v1.PredictRequest;
import dev.rollcall.proto.v1.PredictResponse;
import dev.rollcall.proto.v1.ProcessOnNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The entries of jobs that a gateway reads for one request, in a small cluster and a large one. */
class BoundedWorkTest {
  private static final int MANY = 20_000;

  private TestGateways gateways;

  /** Half of the jobs are at the node that is asked, half at another. */
  private List<Roll.Registration> registrations;

  private final Map<String, Runnable> ofOne = new LinkedHashMap<>();

  @BeforeEach
  void start() throws Exception {
    gateways = new TestGateways(TestGateways.World.MEMORY, 1);
    FakeAgent node1 = gateways.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
    node1.answerMemberships();
    node1.predict(_ -> PredictResponse.getDefaultInstance());
    node1.escaped();
    var said =
        new Roll.NodeDescription(
            new NodeEpoch(new NodeName("node2"), "boot", 1), Set.of(), "g:1", "0.1.0", "sock_ops");
    assertInstanceOf(
        Roll.Standing.Connected.class, gateways.memory.connect(said, TestGateways.LEASE));
    registrations =
        List.of(
            gateways.memory.latest(new NodeName("node1")),
            gateways.memory.latest(said.epoch().node()));
    var jobs = JobServiceGrpc.newBlockingStub(gateways.channel(0));
    var callers = CallerIdServiceGrpc.newBlockingStub(gateways.channel(0));
    var adoptions = AdoptionServiceGrpc.newBlockingStub(gateways.channel(0));
    var nodes = NodeServiceGrpc.newBlockingStub(gateways.channel(0));
    ofOne.put("Get", () -> jobs.get(GetRequest.newBuilder().setJobId(5).build()));
    ofOne.put(
        "ListProcesses",
        () -> jobs.listProcesses(ListProcessesRequest.newBuilder().setJobId(999_999).build()));
    ofOne.put(
        "IdentifyProcess",
        () ->
            callers.identifyProcess(
                IdentifyProcessRequest.newBuilder().setNode("node1").setPid(7).build()));
    ofOne.put(
        "IdentifyProcesses",
        () ->
            callers.identifyProcesses(
                IdentifyProcessesRequest.newBuilder()
                    .addProcesses(ProcessOnNode.newBuilder().setNode("node1").setPid(7))
                    .addProcesses(ProcessOnNode.newBuilder().setNode("node1").setPid(8))
                    .addProcesses(ProcessOnNode.newBuilder().setNode("node1").setPid(7))
                    .build()));
    ofOne.put(
        "Predict",
        () -> adoptions.predict(PredictRequest.newBuilder().setNode("node1").setUid(1000).build()));
    ofOne.put(
        "ListOutsideProcesses",
        () ->
            nodes.listOutsideProcesses(
                ListOutsideProcessesRequest.newBuilder().addNodes("node1").build()));
  }

  @AfterEach
  void stop() {
    gateways.close();
  }

  private void jobs(int from, int to) {
    for (int id = from; id <= to; id++) {
      gateways.memory.enterJob(
          registrations.get(id % 2),
          FakeAgent.job(id, 2000 + id % 50),
          "alice",
          List.of(),
          FakeAgent.NOW);
    }
  }

  /** What it reads when the node answers in time, which a busy machine may prevent. */
  private long leastRead(Runnable call) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 10 && least > 1; i++) {
      long before = gateways.memory.jobsRead();
      call.run();
      least = Math.min(least, gateways.memory.jobsRead() - before);
    }
    return least;
  }

  private Map<String, Long> entriesRead() {
    var read = new LinkedHashMap<String, Long>();
    ofOne.forEach((name, call) -> read.put(name, leastRead(call)));
    return read;
  }

  @Test
  void whatIsOfOneReadsAsManyEntriesInALargeClusterAsInASmall() {
    jobs(1, 20);
    Map<String, Long> few = entriesRead();
    assertEquals(1L, few.get("Get"));
    jobs(21, MANY);
    assertEquals(few, entriesRead());
  }

  /** A list is at most a second old: dozens of lists are some reads of all entries. */
  @Test
  void listsShareTheirReads() {
    jobs(1, MANY);
    var jobs = JobServiceGrpc.newBlockingStub(gateways.channel(0));
    var nodes = NodeServiceGrpc.newBlockingStub(gateways.channel(0));
    long begun = System.nanoTime();
    String token = "";
    for (int i = 0; i < 30; i++) {
      var part = jobs.list(ListRequest.newBuilder().setPageSize(100).setPageToken(token).build());
      token = part.getNextPageToken();
      assertEquals(100 * i + 1, part.getJobs(0).getJobId());
      assertEquals(2, nodes.listNodes(ListNodesRequest.getDefaultInstance()).getNodesCount());
      assertEquals(
          400,
          jobs.list(ListRequest.newBuilder().setUid(2007).build()).getJobsCount(),
          "of one user");
    }
    long seconds = (System.nanoTime() - begun) / 1_000_000_000L;
    long most = 2 * (seconds + 2) * MANY;
    assertTrue(
        gateways.memory.jobsRead() <= most,
        gateways.memory.jobsRead() + " entries in " + seconds + " s, not " + most);
  }
}
