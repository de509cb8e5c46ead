package dev.rollcall.roll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.hazelcast.map.IMap;
import dev.rollcall.model.Call;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.port.Roll;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.testkit.roll.RollContract;
import dev.rollcall.testkit.roll.SettableClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract across two members: written at one, read at the other. */
class HazelcastRollTest extends RollContract {
  private static final Members MEMBERS = new Members("contract", new SettableClock());
  private static Grid one;
  private static Grid two;

  private final SettableClock clock = new SettableClock();
  private HazelcastRoll here;
  private HazelcastRoll there;

  @BeforeAll
  static void startMembers() throws IOException {
    one = MEMBERS.start("one:7450");
    two = MEMBERS.start("two:7450");
  }

  @AfterAll
  static void endMembers() {
    MEMBERS.close();
  }

  @BeforeEach
  void startEmpty() {
    one.member().getMap(HazelcastRoll.NODES).clear();
    one.member().getMap(HazelcastRoll.JOBS).clear();
    one.member().getMap(HazelcastRoll.CALLS).clear();
    here = new HazelcastRoll(one.member(), clock, clock, this::nanos);
    there = new HazelcastRoll(two.member(), clock, clock, this::nanos);
  }

  @AfterEach
  void closeRolls() {
    here.close();
    there.close();
  }

  @Override
  protected Roll here() {
    return here;
  }

  @Override
  protected Roll there() {
    return there;
  }

  @Override
  protected void pass(Duration time) {
    // What one says, the other hears some milliseconds later: that is not to be a lease's time.
    Await.until("both have heard", () -> here.revisions().equals(there.revisions()));
    clock.advance(time);
  }

  private long nanos() {
    return clock.millis() * 1_000_000;
  }

  /** Of 64 lists at once 55 failed, "the cluster of gateways did not answer within 2000 ms". */
  @Test
  void listsOfJobsDoNotReadAMillionProcesses() throws Exception {
    Roll.Registration registration = registration(1);
    List<JobProcess> processes =
        IntStream.rangeClosed(1, 65_536)
            .mapToObj(pid -> new JobProcess(new ProcessRef(pid, pid), StepId.of(0), ""))
            .toList();
    for (int id = 1; id <= 24; id++) {
      here.enterJob(registration, job(id), "alice", processes, Instant.EPOCH);
    }
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<Roll.JobEntry>>> lists =
          IntStream.range(0, 64).mapToObj(_ -> threads.submit(there::jobs)).toList();
      for (Future<List<Roll.JobEntry>> list : lists) {
        assertEquals(24, list.get(60, TimeUnit.SECONDS).size());
      }
    }
    assertEquals(processes, there.processes(registration.node(), new JobId(7)));
  }

  /** Members count queries, and those that read only what an index has. */
  @Test
  void oneJobIsFoundByTheIndexAndNoOtherEntryIsRead() {
    Roll.Registration registration = registration(1);
    for (int id = 1; id <= 50; id++) {
      here.enterJob(registration, job(id), "alice", List.of(), Instant.EPOCH);
    }
    long others = queriesWithoutIndex();
    assertEquals(List.of(job(7)), there.job(new JobId(7)).stream().map(e -> e.job()).toList());
    assertEquals(others, queriesWithoutIndex());
    assertEquals(50, there.jobs().size());
    assertNotEquals(others, queriesWithoutIndex(), "a list is a query without an index");
  }

  private static long queriesWithoutIndex() {
    return Stream.of(one, two)
        .map(grid -> grid.member().getMap(HazelcastRoll.JOBS).getLocalMapStats())
        .mapToLong(stats -> stats.getQueryCount() - stats.getIndexedQueryCount())
        .sum();
  }

  /** A run that connects again each time, and never says that it told all. */
  @Test
  void aNodeThatNeverCompletesItsStateDoesNotFillTheRoll() {
    for (int run = 1; run <= 12; run++) {
      here.enterJob(registration(run), job(run), "alice", List.of(), Instant.EPOCH);
    }
    Await.until(
        "jobs of the last five stay",
        () ->
            there.jobs().stream()
                .map(entry -> entry.job().id().number())
                .sorted()
                .toList()
                .equals(List.of(8L, 9L, 10L, 11L, 12L)));
  }

  /** They were lost in more than the time of one call, so that call failed, and told of none. */
  @Test
  void thousandsOfNodesThatAreLostAtOnceAreToldInSeveralCalls() {
    Duration lease = Duration.ofSeconds(15);
    Map<String, NodeValue> nodes =
        IntStream.range(0, 1_500)
            .mapToObj(i -> said("n" + i, "boot", 1, "10.1." + i / 250 + "." + i % 250))
            .map(said -> NodeValue.connected(null, said, clock.millis(), lease.toMillis()))
            .collect(Collectors.toMap(NodeValue::node, Function.identity()));
    one.member().<String, NodeValue>getMap(HazelcastRoll.NODES).putAll(nodes);
    pass(lease.plusSeconds(1));
    List<NodeName> told = new ArrayList<>();
    Await.until(
        "all are told",
        () -> {
          told.addAll(here.expire());
          return told.size() >= nodes.size();
        });
    assertEquals(nodes.size(), Set.copyOf(told).size());
  }

  /** The event of an eviction is not listened to: it stands for one that was lost with a member. */
  @Test
  void theIndexForgetsANodeWhoseRemovalItHasNotHeardOf() {
    here.connect(said("n1", "boot", 1, "10.0.0.1"), Duration.ofHours(1));
    Await.until("both have heard", () -> here.revisions().equals(there.revisions()));
    two.member().getMap(HazelcastRoll.NODES).evict("n1");
    there.expire();
    assertInstanceOf(Roll.Presence.Connected.class, there.presence(new NodeName("n1")));
    clock.advance(Duration.ofSeconds(31));
    there.expire();
    assertInstanceOf(Roll.Presence.Unknown.class, there.presence(new NodeName("n1")));
  }

  /** What a gateway writes late, after it was told that it may. */
  @Test
  void aCallOfALostStreamIsNotAnsweredThoughItIsInTheMap() {
    Roll.Registration registration = registration(1);
    Call made = call("n1", 1, 40001);
    here.enterCalls(registration, List.of(made), KEEP);
    IMap<byte[], CallValue> calls = one.member().getMap(HazelcastRoll.CALLS);
    CallValue late = calls.get(CallKey.of(made.connection()));
    assertEquals(Optional.of(made.caller()), here.caller(made.connection(), KEEP).join());
    here.disconnected(registration, LEASE);
    calls.put(CallKey.of(made.connection()), late);
    assertEquals(Optional.empty(), here.caller(made.connection(), KEEP).join());
  }

  private Roll.Registration registration(long run) {
    var connected =
        assertInstanceOf(
            Roll.Standing.Connected.class,
            here.connect(said("n1", "boot", run, "10.0.0.1"), Duration.ofSeconds(15)));
    return connected.registration();
  }
}
