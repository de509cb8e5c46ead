package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rollcall.client.Refused;
import dev.rollcall.client.RollcallClient;
import dev.rollcall.client.Watch;
import dev.rollcall.client.WhichJob;
import dev.rollcall.client.WhoCalled;
import dev.rollcall.gateway.TestGateways.World;
import dev.rollcall.model.Call;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.v1.Adoption;
import dev.rollcall.proto.v1.ListAdoptionsRequest;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.Node;
import dev.rollcall.proto.v1.Outcome;
import dev.rollcall.proto.v1.ProcessOnNode;
import dev.rollcall.proto.v1.WatchAdoptionsRequest;
import dev.rollcall.proto.v1.WatchAdoptionsResponse;
import dev.rollcall.testkit.process.Await;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The library for other programs, at a gateway. */
@Timeout(120)
class ClientTest {
  private TestGateways gateways;
  private FakeAgent node1;
  private RollcallClient client;

  @BeforeEach
  void start() throws Exception {
    gateways = new TestGateways(World.MEMORY, 1);
    node1 = gateways.agent(0, "node1", "10.0.0.1").connect();
    client = new RollcallClient(gateways.channel(0));
  }

  @AfterEach
  void stop() {
    gateways.close();
  }

  @Test
  void aRefusalHasWordsForPrograms() {
    var failure = assertThrows(StatusRuntimeException.class, () -> client.job(0));
    var refused = Refused.of(failure);
    assertEquals(Status.Code.INVALID_ARGUMENT, refused.code());
    assertEquals(Optional.of("FIELD_INVALID"), refused.reason());
    assertEquals(Map.of("field", "job_id"), refused.metadata());
    assertEquals(Set.of("job_id"), refused.fields().keySet());
    assertEquals(Optional.empty(), refused.again());
  }

  @Test
  void whoCalledIsFoundOrNot() {
    Call call = node1.call("10.0.0.1:40000", "10.0.0.2:22");
    node1.announce(call, 1);
    var from = new InetSocketAddress("10.0.0.1", 40000);
    var to = new InetSocketAddress("10.0.0.2", 22);
    Await.until("it is known", () -> client.whoCalled(from, to) instanceof WhoCalled.Found);
    var found = assertInstanceOf(WhoCalled.Found.class, client.whoCalled(from, to));
    assertEquals("node1", found.caller().getNode());
    assertEquals(42, found.caller().getJob().getJobId());
    assertInstanceOf(
        WhoCalled.Unknown.class, client.whoCalled(new InetSocketAddress("10.9.9.9", 1), to));
  }

  @Test
  void jobsOfProcessesAreFoundOrNot() {
    node1.tell(FakeAgent.job(7, 1000), List.of(FakeAgent.process(70)));
    Await.until("it is known", () -> client.whichJob("node1", 70) instanceof WhichJob.InJob);
    var found = assertInstanceOf(WhichJob.InJob.class, client.whichJob("node1", 70));
    assertEquals(7, found.found().getJob().getJobId());
    assertInstanceOf(WhichJob.Unknown.class, client.whichJob("node9", 70));
    // More than fit into one request.
    List<ProcessOnNode> many =
        IntStream.rangeClosed(1, 1_001)
            .mapToObj(pid -> ProcessOnNode.newBuilder().setNode("node1").setPid(pid).build())
            .toList();
    List<WhichJob> answers = client.whichJobs(many);
    assertEquals(1_001, answers.size());
    assertInstanceOf(WhichJob.InJob.class, answers.get(69));
    assertInstanceOf(WhichJob.Unknown.class, answers.get(1_000));
  }

  @Test
  void listsAreWholeWhateverTheirParts() {
    int jobs = 1_500;
    for (int id = 1; id <= jobs; id++) {
      node1.tell(FakeAgent.job(id, 1000 + id % 2), List.of());
    }
    node1.complete();
    Await.until("the jobs are there", () -> gateways.memory.jobs().size() == jobs);
    assertEquals(jobs, client.jobs(ListRequest.getDefaultInstance()).size());
    assertEquals(jobs / 2, client.jobs(ListRequest.newBuilder().setUid(1000).build()).size());
    assertEquals("node1", client.job(7).getFirst().getNode());
    assertEquals(List.of(), client.job(jobs + 1));
    assertEquals(List.of("node1"), client.nodes().stream().map(Node::getNode).toList());
    assertEquals("node1", client.processes(7).getFirst().getNode());
  }

  @Test
  void decisionsAreListedAndFollowed() throws Exception {
    tell("a-1");
    Await.until(
        "it is known",
        () -> client.adoptions(ListAdoptionsRequest.getDefaultInstance()).size() == 1);
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    Watch.Listener<WatchAdoptionsResponse> listener =
        told -> heard.add(told.getAdoption().getAdoptionId());
    try (var _ =
        client.watchAdoptions(WatchAdoptionsRequest.newBuilder().setRecent(9).build(), listener)) {
      assertEquals("a-1", heard.poll(20, TimeUnit.SECONDS));
      tell("a-2");
      assertEquals("a-2", heard.poll(20, TimeUnit.SECONDS));
    }
  }

  private void tell(String id) {
    node1.say(
        ConnectRequest.newBuilder()
            .setAdoption(
                Adoption.newBuilder()
                    .setAdoptionId(id)
                    .setUid(1000)
                    .setOutcome(Outcome.OUTCOME_ADOPTED))
            .build());
  }
}
