package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.rollcall.gateway.TestGateways.World;
import dev.rollcall.model.Call;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.CallerAnswer.Found;
import dev.rollcall.model.CallerAnswer.Unreachable;
import dev.rollcall.model.Connection;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.CallerMapper;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A node's stream breaks, and meanwhile another job of the node uses a port again. The announcement
 * of the first job's call counts nowhere any more.
 */
class StaleCallsTest {
  private static final String HERE = "10.0.0.1:40000";
  private static final Executor LATER =
      CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS);
  private static final String FAR = "10.0.0.2:22";

  private static CallerAnswer identify(TestGateways gateways, int at, Connection call) {
    var response =
        CallerIdServiceGrpc.newBlockingStub(gateways.channel(at))
            .withDeadlineAfter(10, TimeUnit.SECONDS)
            .identify(
                IdentifyRequest.newBuilder().setConnection(CallerMapper.toProto(call)).build());
    return CallerMapper.toModel(response.getAnswer(), "answer");
  }

  /** The node calls from job 901; the called node and each gateway have that. */
  private static Call announced(TestGateways gateways, FakeAgent node1, FakeAgent node2)
      throws InterruptedException {
    Connection back = node2.call(FAR, HERE).connection();
    node2.answerWith(_ -> new CallerAnswer.Unknown("asked"));
    Await.until(
        "gateway 0 knows node2",
        () -> identify(gateways, 0, back).equals(new CallerAnswer.Unknown("asked")));
    Call call = node1.call(HERE, FAR, 1000, 901);
    node1.announce(call, 1);
    ConnectResponse pushed = node2.next();
    assertEquals(901, pushed.getAnnouncement().getCaller().getJob().getJobId(), "" + pushed);
    for (int gateway : List.of(0, 1)) {
      Await.until(
          "gateway " + gateway + " has the call",
          () -> identify(gateways, gateway, call.connection()).equals(new Found(call.caller())));
    }
    return call;
  }

  /** As while the gateway of the old stream stands still, or the network is cut. */
  @ParameterizedTest
  @EnumSource(World.class)
  void aNodeThatConnectsElsewhereIsAskedForItsCalls(World world) throws Exception {
    try (var gateways = new TestGateways(world, 2)) {
      var old = gateways.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
      var node2 = gateways.agent(1, "node2", "10.0.0.2").connectWithoutJobs();
      Connection call = announced(gateways, old, node2).connection();
      old.answerWith(null);
      var now = gateways.agent(1, "node1", "10.0.0.1");
      var right = new Found(now.call(HERE, FAR, 1000, 902).caller());
      now.answerWith(_ -> right);
      now.connectWithoutJobs();
      assertEquals("node1", node2.next().getCallsLost().getNode());
      assertEquals(right, identify(gateways, 1, call));
      assertEquals(right, node2.ask(call));
      Await.until("gateway 0 has heard", () -> identify(gateways, 0, call).equals(right));

      // What waited in the old stream, and what follows on the new one.
      old.announce(old.call(HERE, FAR, 1000, 901), 2);
      now.announce(now.call("10.0.0.1:40001", FAR, 1000, 902), 5);
      assertEquals(5, node2.next().getAnnouncement().getSequence());
      assertEquals(right, identify(gateways, 0, call));
      assertEquals(right, node2.ask(call));
    }
  }

  @Test
  void ofANodeWhoseStreamEndedNoCallIsAnswered() throws Exception {
    try (var gateways = new TestGateways(World.MEMORY, 2)) {
      var node1 = gateways.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
      var node2 = gateways.agent(1, "node2", "10.0.0.2").connectWithoutJobs();
      Connection call = announced(gateways, node1, node2).connection();
      node1.vanish();
      assertEquals("node1", node2.next().getCallsLost().getNode());
      for (int gateway : List.of(0, 1)) {
        Await.until(
            "gateway " + gateway + " has heard",
            () -> identify(gateways, gateway, call) instanceof Unreachable);
      }
      assertInstanceOf(Unreachable.class, node2.ask(call));
    }
  }

  /** As in the seconds before a break is noticed: the earlier call is in the roll. */
  @ParameterizedTest
  @EnumSource(World.class)
  void aCallOfBeforeTheConnectionIsAskedForAtItsNode(World world) throws Exception {
    try (var gateways = new TestGateways(world, 2)) {
      var node1 = gateways.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
      var node2 = gateways.agent(1, "node2", "10.0.0.2").connectWithoutJobs();
      Call call = announced(gateways, node1, node2);
      var right = new Found(node1.call(HERE, FAR, 1000, 902).caller());
      node1.answerWith(_ -> right);
      assertEquals(new Found(call.caller()), node2.ask(call.connection(), Duration.ofMinutes(1)));
      assertEquals(right, node2.ask(call.connection(), Duration.ofSeconds(-1)));
      node1.answerWith(null);
      assertInstanceOf(Unreachable.class, node2.ask(call.connection(), Duration.ofSeconds(-1)));
    }
  }

  @Test
  void aQuestionWaitsForANodeThatConnectsToAnotherGateway() throws Exception {
    try (var gateways = new TestGateways(World.MEMORY, 2)) {
      var node1 = gateways.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
      var node2 = gateways.agent(1, "node2", "10.0.0.2").connectWithoutJobs();
      Call call = announced(gateways, node1, node2);
      gateways.departs(0);
      assertEquals(true, node2.next().hasCallsLost());
      var now = gateways.agent(1, "node1", "10.0.0.1");
      now.answerWith(_ -> new Found(call.caller()));
      LATER.execute(() -> assertDoesNotThrow(now::connect));
      assertEquals(new Found(call.caller()), identify(gateways, 1, call.connection()));
    }
  }

  @Test
  void aNodeThatSaysThatItCannotTellIsNotAskedAgain() throws Exception {
    try (var gateways = new TestGateways(World.MEMORY, 1)) {
      var node1 = gateways.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
      var asked = new AtomicInteger();
      node1.answerWith(_ -> {
        asked.incrementAndGet();
        return new Unreachable("busy");
      });
      Connection call = node1.call(HERE, FAR, 1000, 901).connection();
      assertEquals(new Unreachable("node node1: busy"), identify(gateways, 0, call));
      assertEquals(1, asked.get());
    }
  }

  @Test
  void callsOfAGatewayThatLeftAreNotAnswered() throws Exception {
    try (var gateways = new TestGateways(World.MEMORY, 2)) {
      var node1 = gateways.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
      var node2 = gateways.agent(1, "node2", "10.0.0.2").connectWithoutJobs();
      Connection call = announced(gateways, node1, node2).connection();
      gateways.departs(0);
      assertInstanceOf(Unreachable.class, identify(gateways, 1, call));
      assertEquals(true, node2.next().hasCallsLost());
      assertInstanceOf(Unreachable.class, node2.ask(call));
    }
  }
}
