package dev.rollcall.gateway.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.gateway.stream.Outgoing;
import dev.rollcall.gateway.stream.SlowClient;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll.JobEntry;
import dev.rollcall.proto.v1.GetUsageResponse;
import dev.rollcall.proto.v1.SilentNode;
import dev.rollcall.proto.v1.UsageRecord;
import dev.rollcall.proto.v1.WatchUsageResponse;
import dev.rollcall.wire.memory.MemoryBudget;
import io.grpc.Status;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rounds of questions, one after the other, as fast as the client reads. */
class UsageWatchTest {
  private static final Instant NOW = Instant.parse("2026-11-20T09:00:00Z");
  private static final int NODES = 20;

  private final MemoryBudget memory = new MemoryBudget(10_000, 15_000, new SimpleMeterRegistry());
  private final SlowClient<WatchUsageResponse> client = new SlowClient<>();
  private final Outgoing<WatchUsageResponse> out =
      new Outgoing<>(client, Runnable::run, new Outgoing.Client("c", "c", 10_000), memory);
  private final Queue<Runnable> pauses = new ArrayDeque<>();
  private final List<Integer> asked = new ArrayList<>();
  private final List<Boolean> firsts = new ArrayList<>();
  private List<JobEntry> nodes = IntStream.range(0, NODES).mapToObj(i -> entry("n" + i)).toList();
  private long now = 1;

  private static JobEntry entry(String node) {
    return new JobEntry(
        new NodeEpoch(new NodeName(node), "boot", 1),
        new Job(new JobId(7), 1000, 1000, NOW, JobState.OPEN),
        "alice",
        NOW,
        false);
  }

  private Runnable begin() {
    return new UsageWatch(
            () -> CompletableFuture.completedFuture(nodes), this::ask, out, pauses::add)
        .begin("no job 7");
  }

  /** Each record has the time at which its node was asked; the last node never answers. */
  private CompletableFuture<GetUsageResponse> ask(List<JobEntry> some, boolean first) {
    asked.add(some.size());
    firsts.add(first);
    var answer = GetUsageResponse.newBuilder();
    for (JobEntry entry : some) {
      if (entry.node().text().equals("n19")) {
        answer.addSilentNodes(SilentNode.newBuilder().setNode("n19"));
      } else {
        answer.addRecords(UsageRecord.newBuilder().setNode(entry.node().text()).setJobId(now));
      }
    }
    return CompletableFuture.completedFuture(answer.build());
  }

  private List<Long> times() {
    return client.read().stream()
        .filter(WatchUsageResponse::hasRecord)
        .map(one -> one.getRecord().getJobId())
        .distinct()
        .toList();
  }

  @Test
  void eachRoundAsksEveryNodeAFewAtATimeUntilTheJobIsOnNone() {
    client.readAll();
    begin();
    assertEquals(List.of(8, 8, 4), asked);
    assertEquals(NODES, client.read().size());
    assertEquals("n19", client.read().getLast().getSilentNode().getNode());
    now = 2;
    pauses.remove().run();
    assertEquals(List.of(1L, 2L), times());
    assertEquals(2 * NODES, client.read().size());
    assertEquals(List.of(true, true, true, false, false, false), firsts);
    nodes = List.of();
    pauses.remove().run();
    assertEquals(List.of(), List.copyOf(pauses));
    assertEquals(Status.Code.OK, client.end().getCode());
    assertEquals(0, memory.held());
  }

  @Test
  void aClientThatDoesNotReadIsSentTheFiguresOfThatTimeLater() {
    client.readAll();
    begin();
    client.stopReading();
    now = 2;
    pauses.remove().run();
    assertEquals(List.of(8, 8, 4, 8), asked, "the answers of eight nodes wait, and none is asked");
    now = 3;
    client.readAll();
    assertEquals(List.of(8, 8, 4, 8, 8, 4), asked);
    assertEquals(List.of(1L, 2L, 3L), times());
    assertEquals(2 * NODES, client.read().size());
    assertEquals(0, memory.held());
  }

  @Test
  void figuresWithoutRoomAreLeftOutAndTheNextComes() {
    var _ = memory.take("c", dev.rollcall.wire.memory.MemoryUse.OUTGOING, 9_990);
    begin();
    memory.release("c", 9_990);
    now = 2;
    client.readAll();
    assertEquals(Status.Code.OK, client.end().getCode());
    assertEquals(List.of(2L), times());
    assertEquals(12, client.read().size());
  }

  @Test
  void aClientThatHasGoneCausesNoQuestion() {
    client.readAll();
    begin().run();
    pauses.remove().run();
    assertEquals(3, asked.size());
    assertEquals(List.of(), List.copyOf(pauses));
  }

  @Test
  void aJobOnNoNodeAndAFailureAreErrors() {
    nodes = List.of();
    begin();
    assertEquals("NOT_FOUND: no job 7", client.end().asException().getMessage());
    new UsageWatch(
            () -> CompletableFuture.failedFuture(Status.ABORTED.asRuntimeException()),
            this::ask,
            new Outgoing<>(client, Runnable::run, new Outgoing.Client("d", "d", 10), memory),
            pauses::add)
        .begin("");
    assertEquals(Status.Code.ABORTED, client.end().getCode());
  }
}
