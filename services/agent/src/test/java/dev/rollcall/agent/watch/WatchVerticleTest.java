package dev.rollcall.agent.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.CgroupIds;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.Protocol;
import dev.rollcall.model.SeenCall;
import dev.rollcall.port.CallSource;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class WatchVerticleTest {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** The look-up of a UDP socket takes until the end of the test. */
  private record SlowDatagrams(CountDownLatch end) implements CallSource {
    @Override
    public String name() {
      return "slow";
    }

    @Override
    public Sighting find(Connection connection) {
      if (connection.protocol() == Protocol.UDP) {
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
  void noLoginWaitsForAQuestionAboutUdpOfAnotherNode() throws Exception {
    Connection login = TestNode.callFrom(TestNode.HERE, 40_000);
    var end = new CountDownLatch(1);
    try (var node = new TestNode()) {
      node.deploy(
          new WatchVerticle(
              node.bus,
              new SlowDatagrams(end),
              node.jobs,
              new NodeIdentity("test", new NodeName("n")),
              TestNode.IS_OWN,
              node.registry));
      var datagram =
          node.bus.ask(
              Queries.CALLER_LOCAL,
              new Connection(Protocol.UDP, login.local(), login.remote()),
              PATIENCE);
      assertEquals(
          new CallerAnswer.Unknown("n: TCP"),
          TestNode.await(node.bus.ask(Queries.CALLER_LOCAL, login, PATIENCE)));
      assertFalse(datagram.isComplete());
      end.countDown();
      assertEquals(new CallerAnswer.Unknown("n: UDP"), TestNode.await(datagram));
    } finally {
      end.countDown();
    }
  }
}
