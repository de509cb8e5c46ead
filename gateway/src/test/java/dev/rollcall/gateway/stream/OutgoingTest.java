package dev.rollcall.gateway.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.StringValue;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll.Registration;
import dev.rollcall.proto.roll.v1.Announcement;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.Question;
import dev.rollcall.proto.roll.v1.Withdrawal;
import dev.rollcall.proto.v1.Caller;
import dev.rollcall.wire.memory.MemoryBudget;
import io.grpc.Status;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Clients that do not read. */
class OutgoingTest {
  private final MemoryBudget memory = new MemoryBudget(10_000, 15_000, new SimpleMeterRegistry());

  private final MemoryBudget nodeMemory =
      new MemoryBudget(1 << 20, 1 << 20, new SimpleMeterRegistry());

  private Outgoing<StringValue> to(SlowClient<StringValue> client, String name) {
    return new Outgoing<>(client, Runnable::run, new Outgoing.Client(name, name, 100), memory);
  }

  private static StringValue message(int bytes) {
    return StringValue.of("x".repeat(bytes));
  }

  @Test
  void bytesThatWaitForOneClientAreBoundedOverAllItsStreams() {
    var first = new SlowClient<StringValue>();
    var second = new SlowClient<StringValue>();
    Outgoing<StringValue> out = to(first, "n1");
    for (int i = 0; i < 8; i++) {
      out.send(message(1_000));
    }
    Outgoing<StringValue> other = to(second, "n1");
    other.send(message(1_000));
    other.send(message(1_000));
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, second.end().getCode());
    assertTrue(String.valueOf(second.end().getDescription()).contains("n1 does not read"));
    var third = new SlowClient<StringValue>();
    to(third, "n2").send(message(1_000));
    assertEquals(Status.Code.OK, third.end().getCode());
    first.readAll();
    assertEquals(8, first.read().size());
    third.readAll();
    assertEquals(1, third.read().size());
    assertEquals(0, memory.held());
  }

  @Test
  void aClientThatGoesHoldsNothing() {
    var client = new SlowClient<StringValue>();
    Outgoing<StringValue> out = to(client, "n1");
    out.send(message(1_000));
    out.gone();
    out.close(Status.OK);
    assertEquals(0, memory.held());
  }

  @Test
  void messagesThatWaitAreBoundedInNumber() {
    var client = new SlowClient<StringValue>();
    Outgoing<StringValue> out = to(client, "n1");
    for (int i = 0; i < 101; i++) {
      out.send(StringValue.getDefaultInstance());
    }
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, client.end().getCode());
    assertEquals(0, memory.held());
  }

  @Test
  void whoReadsGetsAllInOrder() {
    var client = new SlowClient<StringValue>();
    Outgoing<StringValue> out = to(client, "n1");
    out.send(message(1));
    client.readAll();
    for (int i = 2; i < 1_000; i++) {
      out.send(message(i));
    }
    assertEquals(998 + 1, client.read().size());
    assertEquals(message(999), client.read().getLast());
    assertEquals(0, memory.held());
  }

  @Test
  void whatCanBeSparedCutsNoStreamAndIsReplacedOnceAfterAllThatWaits() {
    var client = new SlowClient<StringValue>();
    Outgoing<StringValue> out = to(client, "n1");
    StringValue lost = StringValue.of("lost");
    var by = Optional.of(new Outgoing.Replacement<>(lost, StringValue.of("all lost")));
    for (int i = 0; i < 1_000; i++) {
      out.offer(message(1), by);
      out.offer(message(1), Optional.empty());
    }
    out.send(message(2));
    assertEquals(Status.Code.OK, client.end().getCode());
    client.readAll();
    assertEquals(50 + 2, client.read().size());
    assertEquals(List.of(message(2), lost), client.read().subList(50, 52));
    out.offer(message(3), by);
    assertEquals(message(3), client.read().getLast());
    assertEquals(0, memory.held());
  }

  @Test
  void whatCanBeSparedIsDroppedWithoutRoom() {
    var client = new SlowClient<StringValue>();
    Outgoing<StringValue> out = to(client, "n1");
    for (int i = 0; i < 20; i++) {
      out.offer(message(1_000), Optional.empty());
    }
    assertEquals(Status.Code.OK, client.end().getCode());
    client.readAll();
    assertEquals(9, client.read().size());
    assertEquals(0, memory.held());
  }

  /** A thousand nodes of one job may call one node at once, and root of one may do as they. */
  @Test
  void callersThatAreNotReadCutNoNodesStreamAndItIsToldOfWhomItLostThem() {
    var client = new SlowClient<ConnectResponse>();
    ConnectedNode node = node(client);
    for (int i = 0; i < 1_000; i++) {
      node.send(announcement("n2", i));
      node.send(
          ConnectResponse.newBuilder()
              .setWithdrawal(Withdrawal.newBuilder().setNode("n3").setSequence(i))
              .build());
      node.send(
          ConnectResponse.newBuilder().setQuestion(Question.newBuilder().setQuestionId(i)).build());
    }
    assertEquals(Status.Code.OK, client.end().getCode());
    client.readAll();
    assertEquals(List.of("n2", "n3"), lost(client));
    assertEquals(50 + 2, client.read().size());
  }

  @Test
  void ofMoreNodesThanWaitItIsToldThatAllAreLost() {
    var client = new SlowClient<ConnectResponse>();
    ConnectedNode node = node(client);
    for (int i = 0; i < 10_000; i++) {
      node.send(announcement("n" + i, 1));
    }
    assertEquals(Status.Code.OK, client.end().getCode());
    client.readAll();
    assertEquals(List.of(""), lost(client));
    assertEquals(50 + 1, client.read().size());
    assertEquals(0, nodeMemory.held());
  }

  private ConnectedNode node(SlowClient<ConnectResponse> client) {
    return new ConnectedNode(
        new Registration(new NodeEpoch(new NodeName("n1"), "boot", 1), 1),
        new Outgoing<>(client, Runnable::run, new Outgoing.Client("n1", "n1", 100), nodeMemory));
  }

  private static ConnectResponse announcement(String from, int sequence) {
    var caller = Caller.newBuilder().setNode(from);
    return ConnectResponse.newBuilder()
        .setAnnouncement(Announcement.newBuilder().setCaller(caller).setSequence(sequence))
        .build();
  }

  private static List<String> lost(SlowClient<ConnectResponse> client) {
    return client.read().stream()
        .filter(ConnectResponse::hasCallsLost)
        .map(order -> order.getCallsLost().getNode())
        .sorted()
        .toList();
  }
}
