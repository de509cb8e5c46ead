package dev.rollcall.agent.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.StageHealth;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.CgroupIds;
import dev.rollcall.model.ClusterPrefixes;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.Prefix;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.Protocol;
import dev.rollcall.model.SeenCall;
import dev.rollcall.port.CallSource;
import dev.rollcall.testkit.process.Await;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class WatchVerticleTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Connection LOGIN = TestNode.callFrom(TestNode.HERE, 40_000);

  /** The look-ups of some calls take until the end of the test. */
  private record SlowCalls(Predicate<Connection> slow, CountDownLatch end) implements CallSource {
    @Override
    public String name() {
      return "slow";
    }

    @Override
    public Sighting find(Connection connection) {
      if (slow.test(connection)) {
        try {
          end.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      return new Sighting.NotSeen(connection.protocol().name());
    }

    @Override
    public void announce(Listener listener) {}

    @Override
    public long withheld() {
      return 0;
    }

    @Override
    public void close() {}
  }

  @Test
  void aCallWhoseJobIsUnknownWithdrawsTheCallerOfTheSameEnds() throws Exception {
    try (var node = new TestNode()) {
      node.deploy(
          new WatchVerticle(
              node.bus,
              node.calls,
              node.jobs,
              new NodeIdentity("test", new NodeName("n")),
              TestNode.IS_OWN,
              node.registry));
      Promise<Connection> withdrawn = Promise.promise();
      node.bus.hear(Topics.CALL_WITHDRAWN, withdrawn::tryComplete);
      var call =
          Connection.tcp(new Endpoint(TestNode.HERE, 40_000), new Endpoint(TestNode.FAR, 22));
      var ended = new ProcessRef(4_711, 1);
      node.calls.call(
          new SeenCall(call, ended, TestNode.ALICE, new CgroupIds(0, 0), TestNode.NOON));
      assertEquals(call, TestNode.await(withdrawn.future()));
    }
  }

  @Test
  void thePrefixesOfTheClusterReachTheSourceOfCalls() throws Exception {
    try (var node = new TestNode()) {
      watch(node, node.calls);
      var rack = new ClusterPrefixes(Set.of(Prefix.parse("10.2.0.0/24")));
      node.bus.tell(Topics.CLUSTER_PREFIXES, rack);
      Await.until("the source has them", () -> node.calls.nodes().equals(rack));
    }
  }

  @Test
  void aCallThatALoginAsksAboutAndWasNotPushedIsCountedWithTheReason() throws Exception {
    try (var node = new TestNode()) {
      watch(node, node.calls);
      ProcessRef process = node.jobs.start("ssh").ref();
      node.calls.callQuietly(
          new SeenCall(LOGIN, process, TestNode.ALICE, new CgroupIds(0, 0), TestNode.NOON));
      Connection unknown = TestNode.callFrom(TestNode.HERE, 40_001);
      TestNode.await(ofAGateway(node, LOGIN)); // it was pushed
      node.calls.leaveAllOut();
      TestNode.await(ofAGateway(node, unknown));
      TestNode.await(node.bus.ask(Queries.CALLER_LOCAL_FOR_CLIENT, LOGIN, PATIENCE));
      assertEquals(0, notPushed(node));

      var health = new LinkedBlockingQueue<StageHealth>();
      node.bus.hear(Topics.HEALTH_CHANGED, health::add);
      assertInstanceOf(CallerAnswer.Found.class, TestNode.await(ofAGateway(node, LOGIN)));
      StageHealth left = Objects.requireNonNull(health.poll(20, TimeUnit.SECONDS));
      assertFalse(left.well() || left.needed(), left.detail());
      assertTrue(left.detail().contains(LOGIN.remote().toString()), left.detail());
      assertEquals(1, notPushed(node));

      node.calls.pushAll();
      node.bus.tell(Topics.CLUSTER_PREFIXES, new ClusterPrefixes(Set.of()));
      assertTrue(Objects.requireNonNull(health.poll(20, TimeUnit.SECONDS)).well());
    }
  }

  private static double notPushed(TestNode node) {
    return node.registry.counter("rollcall.watch.unpushed", "reason", "prefix").count();
  }

  private void watch(TestNode node, CallSource calls) {
    node.deploy(
        new WatchVerticle(
            node.bus,
            calls,
            node.jobs,
            new NodeIdentity("test", new NodeName("n")),
            TestNode.IS_OWN,
            node.registry));
  }

  private static Future<CallerAnswer> ofAGateway(TestNode node, Connection call) {
    return node.bus.ask(Queries.CALLER_LOCAL_FOR_GATEWAY, call, PATIENCE);
  }

  private static CallerAnswer ofALogin(TestNode node) {
    return TestNode.await(node.bus.ask(Queries.CALLER_LOCAL, LOGIN, PATIENCE));
  }

  /** As many as users of the cluster like, about a connection that takes long to find. */
  @Test
  void noLoginOfAnotherNodeWaitsForClientsOfTheGateway() throws Exception {
    Connection other = TestNode.callFrom(TestNode.HERE, 40_001);
    var end = new CountDownLatch(1);
    try (var node = new TestNode()) {
      watch(node, new SlowCalls(other::equals, end));
      var waiting = new ArrayList<Future<CallerAnswer>>();
      for (int i = 0; i < GatewayQuestions.MOST; i++) {
        waiting.add(node.bus.ask(Queries.CALLER_LOCAL_FOR_CLIENT, other, PATIENCE));
      }
      assertEquals(
          new CallerAnswer.Unreachable("256 questions of gateways wait at the node, try again"),
          TestNode.await(node.bus.ask(Queries.CALLER_LOCAL_FOR_CLIENT, other, PATIENCE)));
      assertEquals(new CallerAnswer.Unknown("n: TCP"), TestNode.await(ofAGateway(node, LOGIN)));
      assertFalse(waiting.getFirst().isComplete());
    } finally {
      end.countDown();
    }
  }

  @Test
  void noLoginWaitsForAQuestionAboutUdpOfAnotherNode() throws Exception {
    var end = new CountDownLatch(1);
    try (var node = new TestNode()) {
      watch(node, new SlowCalls(call -> call.protocol() == Protocol.UDP, end));
      var datagram = ofAGateway(node, new Connection(Protocol.UDP, LOGIN.local(), LOGIN.remote()));
      assertEquals(new CallerAnswer.Unknown("n: TCP"), ofALogin(node));
      assertEquals(new CallerAnswer.Unknown("n: TCP"), TestNode.await(ofAGateway(node, LOGIN)));
      assertFalse(datagram.isComplete());
      end.countDown();
      assertEquals(new CallerAnswer.Unknown("n: UDP"), TestNode.await(datagram));
    } finally {
      end.countDown();
    }
  }

  @Test
  void noLoginWaitsForQuestionsOfGatewaysOfWhichABoundedNumberWaits() throws Exception {
    Connection other = TestNode.callFrom(TestNode.HERE, 40_001);
    var end = new CountDownLatch(1);
    try (var node = new TestNode()) {
      watch(node, new SlowCalls(other::equals, end));
      var waiting = new ArrayList<Future<CallerAnswer>>();
      for (int i = 0; i < GatewayQuestions.MOST; i++) {
        waiting.add(ofAGateway(node, other));
      }
      assertEquals(
          new CallerAnswer.Unreachable("256 questions of gateways wait at the node, try again"),
          TestNode.await(ofAGateway(node, other)));
      assertEquals(new CallerAnswer.Unknown("n: TCP"), ofALogin(node));
      assertFalse(waiting.getFirst().isComplete());
      end.countDown();
      TestNode.await(Future.all(waiting));
      assertEquals(new CallerAnswer.Unknown("n: TCP"), TestNode.await(ofAGateway(node, other)));
    } finally {
      end.countDown();
    }
  }
}
