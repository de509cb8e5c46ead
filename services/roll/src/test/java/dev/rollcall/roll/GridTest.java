package dev.rollcall.roll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.hazelcast.map.IMap;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.GatewayMail;
import dev.rollcall.port.Roll;
import dev.rollcall.port.Roll.NodeDescription;
import dev.rollcall.port.RollUnavailableException;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.testkit.roll.SettableClock;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GridTest {
  private record Foreign(String text) implements Serializable {}

  /** Does its harm when it is read, as gadgets do, and again when it is run. */
  private static final class Gadget implements Callable<String>, Serializable {
    private static final long serialVersionUID = 1;
    private static final AtomicInteger HARM = new AtomicInteger();

    @Override
    public String call() {
      HARM.incrementAndGet();
      return "run";
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      HARM.incrementAndGet();
    }
  }

  private final Members members = new Members("grid", new SettableClock());

  @AfterEach
  void endMembers() {
    members.close();
  }

  @Test
  void aSingleMemberWorksOnTheGridsOwnClock() throws IOException {
    var config =
        new GridConfig(
            members.cluster(), "g:7450", Endpoint.parse("127.0.0.1:0"), List.of(), false);
    try (Grid grid = Grid.start(config)) {
      Instant before = Instant.now().minusSeconds(1);
      assertInstanceOf(
          Roll.Standing.Connected.class, grid.roll().connect(said(), Duration.ofSeconds(15)));
      Instant heard = grid.roll().nodes().getFirst().heardAt();
      assertTrue(heard.isAfter(before) && heard.isBefore(Instant.now().plusSeconds(1)));
      assertEquals(1, grid.members());
    }
  }

  @Test
  void aPortInUseIsNamed() throws IOException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var listen = new Endpoint(taken.getInetAddress(), taken.getLocalPort());
      var config = new GridConfig(members.cluster(), "g:7450", listen, List.of(), false);
      var refused = assertThrows(IOException.class, () -> Grid.start(config));
      assertTrue(String.valueOf(refused.getMessage()).contains(listen.toString()));
    }
  }

  @Test
  void aSecondGatewayWithTheSameIdIsRefused() throws IOException {
    members.start("g:7450");
    var refused = assertThrows(IOException.class, () -> members.start("g:7450"));
    assertTrue(String.valueOf(refused.getMessage()).contains("g:7450 is up already"));
  }

  @Test
  void anotherClustersMemberIsNotLetIn() throws IOException {
    Grid here = members.start("g:7450");
    var config =
        new GridConfig(
            "another",
            "h:7450",
            Endpoint.parse("127.0.0.1:0"),
            List.of(here.listening().toString()),
            false);
    Grid other = members.start(config, _ -> {});
    assertEquals(1, other.members());
    assertEquals(1, here.members());
  }

  @Test
  void objectsSerializedByJavaAreNotReadBack() throws IOException {
    IMap<String, Object> map = members.start("g:7450").member().getMap("any");
    map.set("key", new Foreign("gadget"));
    assertThrows(HazelcastSerializationException.class, () -> map.get("key"));
  }

  @Test
  void aTaskThatARogueMemberSendsIsRefusedBeforeItIsRead() throws Exception {
    Grid honest = members.start("g:7450");
    var config =
        new GridConfig(
            members.cluster(),
            "rogue:7450",
            Endpoint.parse("127.0.0.1:0"),
            List.of(honest.listening().toString()),
            false);
    Grid rogue =
        members.start(
            config,
            member -> member.getSerializationConfig().setJavaSerializationFilterConfig(null));
    Await.until("the rogue has joined", () -> honest.members() == 2);
    Future<String> sent =
        rogue
            .member()
            .getExecutorService("any")
            .submitToMember(new Gadget(), honest.member().getCluster().getLocalMember());
    var refused = assertThrows(ExecutionException.class, () -> sent.get(60, TimeUnit.SECONDS));
    assertTrue(refused.toString().contains(Gadget.class.getName()), refused.toString());
    assertEquals(0, Gadget.HARM.get());
  }

  @Test
  void aGridThatIsDownIsUnavailableAndNotAnException() throws IOException {
    Grid grid = members.start("g:7450");
    members.kill(grid);
    assertThrows(
        RollUnavailableException.class, () -> grid.roll().connect(said(), Duration.ofSeconds(15)));
    assertThrows(RollUnavailableException.class, () -> grid.roll().nodes());
    var call = Connection.tcp(Endpoint.parse("10.0.0.1:40001"), Endpoint.parse("10.0.0.2:22"));
    var failed =
        assertThrows(
            ExecutionException.class,
            () -> grid.roll().caller(call, Duration.ofDays(1)).get(60, TimeUnit.SECONDS));
    assertInstanceOf(RollUnavailableException.class, failed.getCause());
  }

  @Test
  void nodesAreConnectedAgainAfterASplitEvenIfTheRollCannotBeRead() throws IOException {
    Grid grid = members.start("g:7450");
    var merged = new AtomicInteger();
    grid.mail()
        .listen(
            new GatewayMail.Listener() {
              @Override
              public void received(String fromGateway, byte[] message) {}

              @Override
              public void nodesConnectAgain(String because) {
                merged.incrementAndGet();
              }
            });
    members.kill(grid);
    grid.merged();
    assertEquals(1, merged.get());
  }

  private static NodeDescription said() {
    var epoch = new NodeEpoch(new NodeName("n1"), "boot", 1);
    return new NodeDescription(
        epoch, Set.of(InetAddress.ofLiteral("10.0.0.1")), "g:7450", "0.1.0", "sock_ops");
  }
}
