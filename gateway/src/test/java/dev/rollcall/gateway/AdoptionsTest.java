package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.gateway.TestGateways.World;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.v1.Adoption;
import dev.rollcall.proto.v1.AdoptionServiceGrpc;
import dev.rollcall.proto.v1.AdoptionServiceGrpc.AdoptionServiceBlockingStub;
import dev.rollcall.proto.v1.ExplainRequest;
import dev.rollcall.proto.v1.JobStep;
import dev.rollcall.proto.v1.ListAdoptionsRequest;
import dev.rollcall.proto.v1.Outcome;
import dev.rollcall.proto.v1.PredictRequest;
import dev.rollcall.proto.v1.PredictResponse;
import dev.rollcall.proto.v1.WatchAdoptionsRequest;
import dev.rollcall.proto.v1.WatchAdoptionsResponse;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.CallerMapper;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What nodes decide, told to gateways. */
@Timeout(120)
class AdoptionsTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  private static Adoption adoption(String id, int uid, Outcome outcome, int second) {
    var adoption =
        Adoption.newBuilder()
            .setAdoptionId(id)
            .setNode("what a node says here counts for nothing")
            .setUid(uid)
            .setService("sshd")
            .setOutcome(outcome)
            .setReason("only-job")
            .setDecidedAt(CallerMapper.timestamp(NOON.plusSeconds(second)));
    if (outcome == Outcome.OUTCOME_ADOPTED) {
      adoption.setJob(JobStep.newBuilder().setJobId(uid - 958).setStep("extern"));
    }
    return adoption.build();
  }

  private static void tell(FakeAgent node, Adoption adoption) {
    node.say(ConnectRequest.newBuilder().setAdoption(adoption).build());
  }

  private static AdoptionServiceBlockingStub at(TestGateways gateways, int gateway) {
    return AdoptionServiceGrpc.newBlockingStub(gateways.channel(gateway))
        .withDeadlineAfter(60, TimeUnit.SECONDS);
  }

  private static List<String> list(TestGateways gateways, int at, ListAdoptionsRequest request) {
    return at(gateways, at).listAdoptions(request).getAdoptionsList().stream()
        .map(AdoptionsTest::name)
        .toList();
  }

  private static String name(Adoption adoption) {
    return adoption.getAdoptionId() + "@" + adoption.getNode();
  }

  private static List<String> next(Iterator<WatchAdoptionsResponse> watched, int count) {
    var names = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      names.add(name(watched.next().getAdoption()));
    }
    return names;
  }

  @ParameterizedTest
  @EnumSource(World.class)
  void everyGatewayTellsOfEveryNodesDecisions(World world) throws Exception {
    try (var gateways = new TestGateways(world, 2)) {
      var node1 = gateways.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
      var node2 = gateways.agent(1, "node2", "10.0.0.2").connectWithoutJobs();
      tell(node1, adoption("a-1", 1000, Outcome.OUTCOME_ADOPTED, 1));
      Await.until(
          "the first is known",
          () -> list(gateways, 1, ListAdoptionsRequest.getDefaultInstance()).size() == 1);
      Iterator<WatchAdoptionsResponse> watched =
          at(gateways, 1).watchAdoptions(WatchAdoptionsRequest.newBuilder().setRecent(5).build());
      assertEquals(List.of("a-1@node1"), next(watched, 1));
      tell(node2, adoption("b-1", 1001, Outcome.OUTCOME_DENIED, 2));
      assertEquals(List.of("b-1@node2"), next(watched, 1));
      tell(node1, adoption("a-2", 1001, Outcome.OUTCOME_ADOPTED, 3));
      assertEquals(List.of("a-2@node1"), next(watched, 1));
      Await.until(
          "both gateways know all, the newest first",
          () ->
              IntStream.range(0, 2)
                  .allMatch(gateway ->
                      list(gateways, gateway, ListAdoptionsRequest.getDefaultInstance())
                          .equals(List.of("a-2@node1", "b-1@node2", "a-1@node1"))));
      assertEquals(
          List.of("b-1@node2"),
          list(
              gateways,
              0,
              ListAdoptionsRequest.newBuilder().setOutcome(Outcome.OUTCOME_DENIED).build()));
      assertEquals(
          List.of("a-1@node1"),
          list(gateways, 0, ListAdoptionsRequest.newBuilder().setJobId(42).build()));
      assertEquals(
          List.of("a-2@node1", "b-1@node2"),
          list(gateways, 0, ListAdoptionsRequest.newBuilder().setUid(1001).build()));
      assertEquals(
          List.of("b-1@node2"),
          list(gateways, 0, ListAdoptionsRequest.newBuilder().setNode("node2").build()));
    }
  }

  @Test
  void aListIsToldInPartsThatHoldAtEveryGateway() throws Exception {
    try (var gateways = new TestGateways(World.MEMORY, 2)) {
      var node1 = gateways.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
      for (int i = 0; i < 5; i++) {
        tell(node1, adoption("a-" + i, 1000, Outcome.OUTCOME_ALLOWED, i));
      }
      Await.until(
          "all are known",
          () -> list(gateways, 1, ListAdoptionsRequest.getDefaultInstance()).size() == 5);
      var first =
          at(gateways, 0).listAdoptions(ListAdoptionsRequest.newBuilder().setPageSize(3).build());
      tell(node1, adoption("a-9", 1000, Outcome.OUTCOME_ALLOWED, 9));
      var second =
          at(gateways, 1)
              .listAdoptions(
                  ListAdoptionsRequest.newBuilder()
                      .setPageSize(3)
                      .setPageToken(first.getNextPageToken())
                      .build());
      assertEquals(
          List.of("a-4", "a-3", "a-2"),
          first.getAdoptionsList().stream().map(Adoption::getAdoptionId).toList());
      assertEquals(
          List.of("a-1", "a-0"),
          second.getAdoptionsList().stream().map(Adoption::getAdoptionId).toList());
      assertEquals("", second.getNextPageToken());
    }
  }

  @Test
  void oneDecisionIsExplainedByItsIdAndNode() throws Exception {
    try (var gateways = new TestGateways(World.MEMORY, 1)) {
      var node1 = gateways.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
      var node2 = gateways.agent(0, "node2", "10.0.0.2").connectWithoutJobs();
      tell(node1, adoption("x-1", 1000, Outcome.OUTCOME_ADOPTED, 1));
      tell(node1, adoption("x-2", 1000, Outcome.OUTCOME_DENIED, 2));
      tell(node2, adoption("x-1", 1001, Outcome.OUTCOME_ADOPTED, 3));
      Await.until(
          "all are known",
          () -> list(gateways, 0, ListAdoptionsRequest.getDefaultInstance()).size() == 3);
      var stub = at(gateways, 0);
      assertEquals("x-2@node1", explained(stub, "x-2", ""));
      assertEquals("x-1@node2", explained(stub, "x-1", "node2"));
      assertEquals("x-1@node2", explained(stub, "", ""));
      assertEquals("x-2@node1", explained(stub, "", "node1"));
      var both = assertThrows(StatusRuntimeException.class, () -> explained(stub, "x-1", ""));
      assertEquals(Status.Code.INVALID_ARGUMENT, both.getStatus().getCode());
      assertTrue(String.valueOf(both.getMessage()).contains("node1 and of node2"), both.toString());
      var none = assertThrows(StatusRuntimeException.class, () -> explained(stub, "x-9", ""));
      assertEquals(Status.Code.NOT_FOUND, none.getStatus().getCode());
    }
  }

  private static String explained(AdoptionServiceBlockingStub stub, String id, String node) {
    return name(
        stub.explain(ExplainRequest.newBuilder().setAdoptionId(id).setNode(node).build())
            .getAdoption());
  }

  private static PredictResponse predicted(TestGateways gateways, int at, String node, int uid) {
    return at(gateways, at).predict(PredictRequest.newBuilder().setNode(node).setUid(uid).build());
  }

  private static Status unpredicted(TestGateways gateways, String node) {
    return assertThrows(StatusRuntimeException.class, () -> predicted(gateways, 0, node, 1000))
        .getStatus();
  }

  @ParameterizedTest
  @EnumSource(World.class)
  void everyGatewayAsksTheNodeWhatWouldBeDecided(World world) throws Exception {
    try (var gateways = new TestGateways(world, 2)) {
      var node1 = gateways.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
      node1.predict(uid ->
          PredictResponse.newBuilder()
              .setNode("what a node says here counts for nothing")
              .setOutcome(Outcome.OUTCOME_DENIED)
              .setReason("no-jobs")
              .setMessage("uid " + uid)
              .setOnlyWatched("/etc/rollcall/audit_only.yaml: node is yes")
              .build());
      for (int gateway = 0; gateway < 2; gateway++) {
        PredictResponse told = predicted(gateways, gateway, "node1", 1000);
        assertEquals("node1", told.getNode());
        assertEquals("uid 1000", told.getMessage());
        assertEquals("/etc/rollcall/audit_only.yaml: node is yes", told.getOnlyWatched());
      }
    }
  }

  @Test
  void nobodyAnswersForANodeThatDoesNot() throws Exception {
    try (var gateways = new TestGateways(World.MEMORY, 1)) {
      gateways.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
      assertEquals(Status.Code.NOT_FOUND, unpredicted(gateways, "node9").getCode());
      assertEquals(Status.Code.INVALID_ARGUMENT, unpredicted(gateways, "").getCode());
      Status silent = unpredicted(gateways, "node1");
      assertEquals(Status.Code.UNAVAILABLE, silent.getCode());
      assertEquals("node node1 did not answer within 4000 ms", silent.getDescription());
    }
  }

  @Test
  void onlyTheLastOfManyAreKeptAndWatched() throws Exception {
    try (var gateways = new TestGateways(World.MEMORY, 1)) {
      int each = 1_010;
      for (int node = 0; node < 10; node++) {
        var agent = gateways.agent(0, "node" + node, "10.0.0." + (node + 1)).connectWithoutJobs();
        for (int i = node * each; i < (node + 1) * each; i++) {
          tell(agent, adoption("a-" + i, 1000, Outcome.OUTCOME_ALLOWED, i));
        }
        String last = "a-" + ((node + 1) * each - 1);
        Await.until("the last is known", () -> isKnown(gateways, last));
      }
      assertTrue(isKnown(gateways, "a-100"));
      assertTrue(!isKnown(gateways, "a-99"));
      Iterator<WatchAdoptionsResponse> watched =
          at(gateways, 0).watchAdoptions(WatchAdoptionsRequest.newBuilder().setRecent(2).build());
      assertEquals(List.of("a-10098@node9", "a-10099@node9"), next(watched, 2));
      var refused =
          assertThrows(
              StatusRuntimeException.class,
              () ->
                  at(gateways, 0)
                      .watchAdoptions(WatchAdoptionsRequest.newBuilder().setRecent(1001).build())
                      .next());
      assertEquals(Status.Code.INVALID_ARGUMENT, refused.getStatus().getCode());
    }
  }

  private static boolean isKnown(TestGateways gateways, String id) {
    try {
      return explained(at(gateways, 0), id, "").startsWith(id + "@");
    } catch (StatusRuntimeException e) {
      assertEquals(Status.Code.NOT_FOUND, e.getStatus().getCode());
      return false;
    }
  }

  @Test
  void aDecisionThatIsTooLongEndsTheStream() throws Exception {
    try (var gateways = new TestGateways(World.MEMORY, 1)) {
      var node1 = gateways.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
      tell(
          node1,
          adoption("a-1", 1000, Outcome.OUTCOME_ALLOWED, 1).toBuilder()
              .setDoubt("x".repeat(4_096))
              .build());
      assertEquals(Status.Code.INVALID_ARGUMENT, node1.end().getCode());
    }
  }
}
