package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.gateway.TestGateways.World;
import dev.rollcall.gateway.route.Identifier;
import dev.rollcall.model.Call;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.CallerAnswer.Found;
import dev.rollcall.model.CallerAnswer.Unknown;
import dev.rollcall.model.CallerAnswer.Unreachable;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.proto.roll.v1.CallsLost;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.Question;
import dev.rollcall.proto.roll.v1.Withdrawal;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.GetUsageRequest;
import dev.rollcall.proto.v1.GetUsageResponse;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.ListGatewaysRequest;
import dev.rollcall.proto.v1.ListProcessesRequest;
import dev.rollcall.proto.v1.NodeProcesses;
import dev.rollcall.proto.v1.NodeServiceGrpc;
import dev.rollcall.proto.v1.UsageKind;
import dev.rollcall.proto.v1.UsageRecord;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.JobMapper;
import dev.rollcall.wire.NodeMapper;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The ways between nodes: on one gateway and across two, in memory and on real grid members. */
class RouteTest {
  private static CallerAnswer identify(TestGateways gateways, int at, Connection call) {
    var response =
        CallerIdServiceGrpc.newBlockingStub(gateways.channel(at))
            .withDeadlineAfter(10, TimeUnit.SECONDS)
            .identify(
                IdentifyRequest.newBuilder().setConnection(CallerMapper.toProto(call)).build());
    return CallerMapper.toModel(response.getAnswer(), "answer");
  }

  private static String reasonOf(CallerAnswer answer) {
    return switch (answer) {
      case Unknown(String reason) -> reason;
      case Unreachable(String reason) -> reason;
      case Found found -> throw new AssertionError("found " + found);
    };
  }

  /** The other gateway learns of a node's address some milliseconds later. */
  private static void awaitOwner(TestGateways gateways, int at, FakeAgent owner, Call probe) {
    owner.answerWith(_ -> new Unknown("a probe"));
    Await.until(
        "gateway " + at + " knows the way to " + probe.connection().local(),
        () ->
            identify(gateways, at, probe.connection()) instanceof Unknown(String reason)
                && reason.equals("a probe"));
  }

  private static ConnectResponse nextAnnouncement(FakeAgent agent) throws InterruptedException {
    ConnectResponse order = agent.next();
    assertTrue(order.hasAnnouncement(), order.toString());
    return order;
  }

  @ParameterizedTest
  @CsvSource({"MEMORY,0,0", "MEMORY,0,1", "GRID,0,1"})
  void anAnnouncementReachesTheOwnerOfTheFarAddress(World world, int source, int far)
      throws Exception {
    try (var gateways = new TestGateways(world, 2)) {
      var node1 = gateways.agent(source, "node1", "10.0.0.1").connectWithoutJobs();
      var node2 = gateways.agent(far, "node2", "10.0.0.2").connectWithoutJobs();
      var bystander = gateways.agent(far, "node3", "10.0.0.3").connectWithoutJobs();
      awaitOwner(gateways, source, node2, node2.call("10.0.0.2:1", "10.0.0.1:1"));

      Call call = node1.call("10.0.0.1:40000", "10.0.0.2:22");
      node1.announce(call, 17);
      var told = nextAnnouncement(node2).getAnnouncement();
      assertEquals(call, NodeMapper.call(told));
      assertEquals(17, told.getSequence());
      assertEquals(1, told.getEpoch());

      // It also stands in the roll, for whoever asks at either gateway.
      for (int gateway = 0; gateway < 2; gateway++) {
        int at = gateway;
        Await.until(
            "gateway " + at + " knows the call",
            () -> identify(gateways, at, call.connection()).equals(new Found(call.caller())));
      }
      node1.announce(node1.call("10.0.0.1:40001", "10.0.0.3:22"), 1);
      var second = nextAnnouncement(bystander).getAnnouncement();
      assertEquals(40001, second.getConnection().getLocal().getPort());
    }
  }

  @ParameterizedTest
  @CsvSource({"MEMORY,0,0", "MEMORY,0,1", "GRID,0,1"})
  void aQuestionReachesTheOwnerOfTheNearAddress(World world, int asker, int owner)
      throws Exception {
    try (var gateways = new TestGateways(world, 2)) {
      var node1 = gateways.agent(owner, "node1", "10.0.0.1").connectWithoutJobs();
      awaitOwner(gateways, asker, node1, node1.call("10.0.0.1:1", "10.0.0.2:1"));
      Call call = node1.call("10.0.0.1:40000", "10.0.0.2:80");
      node1.answerWith(asked ->
          asked.equals(call.connection()) ? new Found(call.caller()) : new Unknown("no such call"));

      assertEquals(new Found(call.caller()), identify(gateways, asker, call.connection()));
      assertTrue(node1.answeredAClient());
      assertEquals(
          new Unknown("no such call"),
          identify(gateways, asker, node1.call("10.0.0.1:40001", "10.0.0.2:80").connection()));

      // The same question from a node, down its own stream.
      var node2 = gateways.agent(asker, "node2", "10.0.0.2").connectWithoutJobs();
      node2.say(
          ConnectRequest.newBuilder()
              .setQuestion(
                  Question.newBuilder()
                      .setQuestionId(99)
                      .setConnection(CallerMapper.toProto(call.connection()))
                      .setPatience(CallerMapper.duration(Duration.ofSeconds(2))))
              .build());
      var answer = node2.next().getAnswer();
      assertEquals(99, answer.getQuestionId());
      assertEquals(new Found(call.caller()), CallerMapper.toModel(answer.getAnswer(), "answer"));
      assertFalse(node1.answeredAClient());
    }
  }

  /** A node with all its processors in use answers later than an idle one. */
  @Test
  void anOwnerThatIsLateIsWaitedForByAClientThatMayWait() throws Exception {
    try (var gateways = new TestGateways(World.MEMORY, 1)) {
      var node1 = gateways.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
      Call call = node1.call("10.0.0.1:40000", "10.0.0.2:80");
      node1.answerWith(_ -> {
        LockSupport.parkNanos(Identifier.PATIENCE.multipliedBy(2).toNanos());
        return new Found(call.caller());
      });
      assertEquals(new Found(call.caller()), identify(gateways, 0, call.connection()));
    }
  }

  @ParameterizedTest
  @CsvSource({"MEMORY,0,0", "MEMORY,0,1", "GRID,0,1"})
  void aSilentOwnerIsUnreachableByItsName(World world, int asker, int owner) throws Exception {
    try (var gateways = new TestGateways(world, 2)) {
      var node1 = gateways.agent(owner, "node1", "10.0.0.1").connectWithoutJobs();
      Connection call = node1.call("10.0.0.1:40000", "10.0.0.2:80").connection();
      awaitOwner(gateways, asker, node1, node1.call("10.0.0.1:1", "10.0.0.2:1"));
      node1.answerWith(null);
      var silent = assertInstanceOf(Unreachable.class, identify(gateways, asker, call));
      assertTrue(silent.reason().contains("node1"), silent.reason());

      node1.vanish();
      Await.until(
          "the end of the stream is known",
          () -> {
            // A busy machine may need longer than the question's own bound.
            String reason = reasonOf(identify(gateways, asker, call));
            return reason.contains("node1") && !reason.contains("did not answer");
          });
    }
  }

  @ParameterizedTest
  @CsvSource({"MEMORY", "GRID"})
  void anAddressThatTwoNodesClaimBelongsToNeither(World world) throws Exception {
    try (var gateways = new TestGateways(world, 2)) {
      var node1 = gateways.agent(0, "node1", "10.0.0.1", "10.0.0.7").connectWithoutJobs();
      var node3 = gateways.agent(0, "node3", "10.0.0.3").connectWithoutJobs();
      Call before = node1.call("10.0.0.7:1", "10.0.0.3:1");
      node1.announce(before, 1);
      assertEquals(before, NodeMapper.call(nextAnnouncement(node3).getAnnouncement()));
      Await.until(
          "the call is in the roll",
          () -> identify(gateways, 0, before.connection()).equals(new Found(before.caller())));
      var node2 = gateways.agent(1, "node2", "10.0.0.2", "10.0.0.7").connectWithoutJobs();
      Connection call = before.connection();
      Await.until(
          "both claims are known",
          () ->
              identify(gateways, 0, call)
                  .equals(new Unknown("address 10.0.0.7 is claimed by node1 and node2")));
      assertEquals(
          CallsLost.newBuilder()
              .setNode("node1")
              .setAddress(CallerMapper.bytes(InetAddress.ofLiteral("10.0.0.7")))
              .build(),
          node3.next().getCallsLost());
      assertEquals(
          "1 address is not accepted: 10.0.0.7 (claimed by node node1, too)",
          String.valueOf(node2.refused()));
      Await.until(
          "node1 is told, too",
          () ->
              String.valueOf(node1.refused())
                  .equals("1 address is not accepted: 10.0.0.7 (claimed by node node2, too)"));
      Call since = node1.call("10.0.0.7:2", "10.0.0.3:1");
      node1.announce(since, 2);
      var withdrawn = nextWithdrawal(node3);
      assertEquals(since.connection(), NodeMapper.connection(withdrawn));
      assertEquals(2, withdrawn.getSequence());
      assertEquals(
          new Unknown("no node has address 10.9.9.9"),
          identify(gateways, 1, node1.call("10.9.9.9:1", "10.0.0.2:1").connection()));
      assertInstanceOf(
          Unknown.class,
          identify(
              gateways,
              0,
              Connection.tcp(Endpoint.parse("127.0.0.1:1"), Endpoint.parse("127.0.0.1:22"))));
    }
  }

  /** A bridge that all nodes have gives each of them the same address. */
  @Test
  void nodesThatClaimAnAddressOfManyHaveNoCallersForgotten() throws Exception {
    try (var gateways = new TestGateways(World.MEMORY, 1)) {
      var far = gateways.agent(0, "node99", "10.0.0.99").connectWithoutJobs();
      var first = gateways.agent(0, "node1", "10.0.0.1", "10.88.0.1").connectWithoutJobs();
      gateways.agent(0, "node2", "10.0.0.2", "10.88.0.1").connectWithoutJobs();
      Await.until("node1 is told", () -> first.refused().count() == 1);
      first.announce(first.call("10.0.0.1:1", "10.0.0.99:22"), 1);
      assertTrue(far.next().hasAnnouncement());
      List<FakeAgent> later = new ArrayList<>();
      for (int i = 3; i < 20; i++) {
        later.add(gateways.agent(0, "node" + i, "10.0.0." + i, "10.88.0.1").connectWithoutJobs());
      }
      first.announce(first.call("10.0.0.1:2", "10.0.0.99:22"), 2);
      ConnectResponse order = far.next();
      for (int lost = 0; !order.hasAnnouncement() && lost < 2; lost++) { // while two claimed it
        assertFalse(order.getCallsLost().getAddress().isEmpty(), order::toString);
        order = far.next();
      }
      assertTrue(order.hasAnnouncement(), order::toString);
      String told = String.valueOf(later.getLast().refused());
      assertTrue(told.matches(".* \\(claimed by node (node\\d+, ){3}\\.\\.\\., too\\)"), told);
    }
  }

  /** The calls of a node may be lost once more, by its own gateway. */
  private static Withdrawal nextWithdrawal(FakeAgent node) throws InterruptedException {
    ConnectResponse order = node.next();
    while (order.hasCallsLost()) {
      order = node.next();
    }
    return order.getWithdrawal();
  }

  @ParameterizedTest
  @CsvSource({"MEMORY", "GRID"})
  void aGapIsSentToTheNodesThatHavePushedCallersAndEmptiesTheRoll(World world) throws Exception {
    try (var gateways = new TestGateways(world, 2)) {
      var node1 = gateways.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
      var near = gateways.agent(0, "node2", "10.0.0.2").connectWithoutJobs();
      var remote = gateways.agent(1, "node3", "10.0.0.3").connectWithoutJobs();
      var bystander = gateways.agent(0, "node4", "10.0.0.4").connectWithoutJobs();
      awaitOwner(gateways, 0, remote, remote.call("10.0.0.3:1", "10.0.0.1:1"));
      node1.answerWith(_ -> new Unknown("asked"));
      Call call = node1.call("10.0.0.1:40000", "10.0.0.2:22");
      node1.announce(call, 1);
      node1.announce(node1.call("10.0.0.1:40001", "10.0.0.3:22"), 1);
      nextAnnouncement(near);
      nextAnnouncement(remote);
      Await.until(
          "the call is there", () -> identify(gateways, 0, call.connection()) instanceof Found);
      node1.callsLost(3);
      for (FakeAgent agent : List.of(near, remote)) {
        assertEquals(CallsLost.newBuilder().setNode("node1").build(), agent.next().getCallsLost());
      }
      Await.until(
          "the call is gone and the node is asked",
          () -> identify(gateways, 0, call.connection()).equals(new Unknown("asked")));
      near.announce(near.call("10.0.0.2:40000", "10.0.0.4:22"), 1);
      assertEquals("node2", nextAnnouncement(bystander).getAnnouncement().getCaller().getNode());
    }
  }

  @ParameterizedTest
  @CsvSource({"MEMORY,0", "MEMORY,1", "GRID,1"})
  void aWithdrawalFollowsItsAnnouncementAndLeavesOtherCalls(World world, int far) throws Exception {
    try (var gateways = new TestGateways(world, 2)) {
      var node1 = gateways.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
      var node2 = gateways.agent(far, "node2", "10.0.0.2").connectWithoutJobs();
      awaitOwner(gateways, 0, node2, node2.call("10.0.0.2:1", "10.0.0.1:1"));
      node1.answerWith(_ -> new Unknown("asked"));
      Call stale = node1.call("10.0.0.1:40000", "10.0.0.2:22");
      Call other = node1.call("10.0.0.1:40001", "10.0.0.2:22");
      node1.announce(stale, 1);
      node1.announce(other, 2);
      node1.withdraw(stale.connection(), 3);

      assertEquals(1, nextAnnouncement(node2).getAnnouncement().getSequence());
      assertEquals(2, nextAnnouncement(node2).getAnnouncement().getSequence());
      var told = node2.next().getWithdrawal();
      assertEquals("node1", told.getNode());
      assertEquals(stale.connection(), NodeMapper.connection(told));
      assertEquals(3, told.getSequence());
      assertEquals(1, told.getEpoch());
      // Entered together and in the background: where the other is, the first has been.
      Await.until(
          "the other call is there",
          () -> identify(gateways, 1, other.connection()).equals(new Found(other.caller())));
      Await.until(
          "the call is gone and the node is asked",
          () -> identify(gateways, 1, stale.connection()).equals(new Unknown("asked")));
      assertEquals(new Found(other.caller()), identify(gateways, 1, other.connection()));
    }
  }

  /** As of a bridge of containers, or of an address that is bound though the node has it not. */
  @ParameterizedTest
  @CsvSource({"MEMORY,0", "MEMORY,1", "GRID,1"})
  void aCallFromAnAddressThatIsNotTheNodesLeavesNoGap(World world, int far) throws Exception {
    try (var gateways = new TestGateways(world, 2)) {
      var node1 = gateways.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
      var node2 = gateways.agent(far, "node2", "10.0.0.2").connectWithoutJobs();
      awaitOwner(gateways, 0, node2, node2.call("10.0.0.2:1", "10.0.0.1:1"));
      Call bridged = node1.call("172.17.0.1:40001", "10.0.0.2:22");
      node1.announce(node1.call("10.0.0.1:40000", "10.0.0.2:22"), 1);
      node1.announce(bridged, 2);
      node1.withdraw(bridged.connection(), 3);
      node1.announce(node1.call("10.0.0.1:40002", "10.0.0.2:22"), 4);

      assertEquals(1, nextAnnouncement(node2).getAnnouncement().getSequence());
      for (int sequence = 2; sequence <= 3; sequence++) {
        var told = node2.next().getWithdrawal();
        assertEquals("node1", told.getNode());
        assertEquals(bridged.connection(), NodeMapper.connection(told));
        assertEquals(sequence, told.getSequence());
      }
      assertEquals(4, nextAnnouncement(node2).getAnnouncement().getSequence());
      assertEquals(
          new Unknown("no node has address 172.17.0.1"),
          identify(gateways, 0, bridged.connection()));
    }
  }

  @ParameterizedTest
  @CsvSource({"MEMORY", "GRID"})
  void anotherNodesCallCannotBeWithdrawn(World world) throws Exception {
    try (var gateways = new TestGateways(world, 1)) {
      var node1 = gateways.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
      var node2 = gateways.agent(0, "node2", "10.0.0.2").connectWithoutJobs();
      var rogue = gateways.agent(0, "node3", "10.0.0.3").connectWithoutJobs();
      awaitOwner(gateways, 0, node2, node2.call("10.0.0.2:1", "10.0.0.1:1"));
      Call call = node1.call("10.0.0.1:40000", "10.0.0.2:22");
      node1.announce(call, 1);
      assertEquals(1, nextAnnouncement(node2).getAnnouncement().getSequence());
      Await.until(
          "the call is there",
          () -> identify(gateways, 0, call.connection()).equals(new Found(call.caller())));

      // Under its own name, then under that of the node whose call it is.
      rogue.withdraw(call.connection(), 1);
      rogue.say(
          ConnectRequest.newBuilder()
              .setWithdrawal(NodeMapper.withdrawal(call.caller().node(), call.connection(), 1, 2))
              .build());
      Call own = rogue.call("10.0.0.3:40000", "10.0.0.2:22");
      rogue.announce(own, 2);

      var told = node2.next().getWithdrawal();
      assertEquals("node3", told.getNode(), "whose callers alone it concerns");
      assertEquals(1, told.getSequence());
      assertEquals(own, NodeMapper.call(nextAnnouncement(node2).getAnnouncement()));
      // In the roll in the background and in order: where its own is, the withdrawals have been.
      Await.until(
          "the rogue's own call is there",
          () -> identify(gateways, 0, own.connection()).equals(new Found(own.caller())));
      assertEquals(new Found(call.caller()), identify(gateways, 0, call.connection()));
    }
  }

  @ParameterizedTest
  @CsvSource({"MEMORY,0", "MEMORY,1", "GRID,1"})
  void processesComeFromTheNodeOrElseFromTheRoll(World world, int asker) throws Exception {
    try (var gateways = new TestGateways(world, 2)) {
      var node1 = gateways.agent(0, "node1", "10.0.0.1").connect();
      node1.tell(FakeAgent.job(7, 1000), List.of(FakeAgent.process(5)));
      node1.complete();
      node1.holds(List.of(FakeAgent.process(5), FakeAgent.process(6)));
      var jobs = JobServiceGrpc.newBlockingStub(gateways.channel(asker));
      var request = ListProcessesRequest.newBuilder().setJobId(7).build();
      Await.until("the node answers", () -> jobs.listProcesses(request).getNodesCount() == 1);
      NodeProcesses live = jobs.listProcesses(request).getNodes(0);
      assertTrue(live.getLive());
      assertEquals(2, live.getProcessesCount());

      for (int empty : List.of(1, 20_000)) {
        node1.addsEmptyProcesses(empty);
        assertFalse(jobs.listProcesses(request).getNodes(0).getLive(), "not believed: " + empty);
      }
      node1.holds(List.of()); // the fake then says nothing
      NodeProcesses told = jobs.listProcesses(request).getNodes(0);
      assertFalse(told.getLive());
      assertEquals(List.of(JobMapper.listed(FakeAgent.process(5))), told.getProcessesList());
    }
  }

  @ParameterizedTest
  @CsvSource({"MEMORY,0", "MEMORY,1", "GRID,1"})
  void usageComesFromEachNodeOfTheJob(World world, int asker) throws Exception {
    try (var gateways = new TestGateways(world, 2)) {
      var node1 = gateways.agent(0, "node1", "10.0.0.1").connect();
      var node2 = gateways.agent(1, "node2", "10.0.0.2").connect();
      for (FakeAgent node : List.of(node1, node2)) {
        node.tell(FakeAgent.job(7, 1000), List.of());
        node.complete();
      }
      UsageRecord own =
          UsageRecord.newBuilder()
              .setKind(UsageKind.USAGE_KIND_JOB)
              .setNode("node9")
              .setJobId(7)
              .setUid(1000)
              .build();
      node1.used(own);
      var jobs = JobServiceGrpc.newBlockingStub(gateways.channel(asker));
      var request = GetUsageRequest.newBuilder().setJobId(7).build();
      Await.until("both have the job", () -> jobs.getUsage(request).getSilentNodesCount() == 1);
      GetUsageResponse heard = jobs.getUsage(request);
      assertEquals(List.of(own.toBuilder().setNode("node1").build()), heard.getRecordsList());
      assertEquals("node2", heard.getSilentNodes(0).getNode());
      assertTrue(heard.getSilentNodes(0).getSilence().contains("did not answer within"));

      for (UsageRecord wrong :
          List.of(own.toBuilder().setJobId(8).build(), own.toBuilder().setUid(1001).build())) {
        node2.used(own, wrong);
        String silence = jobs.getUsage(request).getSilentNodes(0).getSilence();
        assertTrue(silence.contains("sent an invalid answer: usage_answer.records"), silence);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aGatewayWithoutNodesIsListedUntilItLeaves(World world) throws Exception {
    try (var gateways = new TestGateways(world, 2)) {
      var nodes = NodeServiceGrpc.newBlockingStub(gateways.channel(0));
      Supplier<List<String>> listed =
          () ->
              nodes
                  .listGateways(ListGatewaysRequest.getDefaultInstance())
                  .getGatewaysList()
                  .stream()
                  .map(each -> each.getGateway() + " " + each.getVersion())
                  .toList();
      List<String> both = List.of("gate0:7450 0.1.0", "gate1:7450 0.1.0");
      Await.until("the other has reported", () -> listed.get().equals(both));
      if (world == World.MEMORY) {
        gateways.departs(1);
        assertEquals(both.subList(0, 1), listed.get());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"MEMORY,0", "MEMORY,1", "GRID,1"})
  void whoeverWatchesCallsSeesThemAtAnyGateway(World world, int watcher) throws Exception {
    try (var gateways = new TestGateways(world, 2)) {
      var node1 = gateways.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
      var seen =
          CallerIdServiceGrpc.newBlockingStub(gateways.channel(watcher))
              .withDeadlineAfter(30, TimeUnit.SECONDS)
              .watchCalls(
                  dev.rollcall.proto.v1.WatchCallsRequest.newBuilder().setUid(1000).build());
      var stop = new java.util.concurrent.atomic.AtomicBoolean();
      var announcer =
          Thread.startVirtualThread(() -> {
            for (int i = 1; !stop.get(); i++) {
              node1.announce(node1.call("10.0.0.1:" + (1024 + i), "10.0.0.2:22", 1001), i);
              node1.announce(node1.call("10.0.0.1:" + (1024 + i), "10.0.0.2:22"), i);
              java.util.concurrent.locks.LockSupport.parkNanos(10_000_000);
            }
          });
      var first = seen.next();
      stop.set(true);
      announcer.join();
      assertEquals(1000, first.getCaller().getUid());
      assertEquals("node1", first.getCaller().getNode());
    }
  }
}
