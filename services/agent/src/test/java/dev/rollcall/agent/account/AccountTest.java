package dev.rollcall.agent.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.model.usage.Incident;
import dev.rollcall.model.usage.UsageRecord;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.testkit.log.LoggedLines;
import dev.rollcall.testkit.process.Await;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AccountTest {
  private static final Duration TWENTY = Duration.ofSeconds(20);

  private TestNode node;

  /** A process that says when it is looked at. */
  private record Seen(PinnedProcess process, CountDownLatch lookedUp) implements PinnedProcess {
    @Override
    public ProcessRef ref() {
      lookedUp.countDown();
      return process.ref();
    }

    @Override
    public boolean alive() {
      return process.alive();
    }

    @Override
    public void close() {
      process.close();
    }
  }

  @BeforeEach
  void start() throws IOException {
    node = new TestNode();
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    node.deploy(
        new AccountVerticle(
            node.bus,
            node.beat,
            node.jobs,
            TestNode.IDENTITY.node(),
            new AccountVerticle.Files(node.directory.resolve("usage.jsonl"), node.directory),
            () -> node.jobs.list().forEach(job -> node.jobs.processes(job.id())),
            node.workers,
            node.registry));
  }

  /** LastHourTest has the rest. */
  @Test
  void eachLookAtTheJobsIsAPointOfTheirLastHour() {
    Await.until(
        "the first look is over",
        () ->
            TestNode.await(
                        node.onLoop(
                            () -> node.bus.ask(Queries.LAST_HOUR, TestNode.OLDER, Bus.AT_ONCE)))
                    .size()
                == 1);
  }

  @AfterEach
  void stop() throws IOException {
    node.close();
  }

  private Optional<UsageRecord> close(PinnedProcess process) {
    return TestNode.await(
        node.onLoop(() -> node.bus.ask(Queries.SESSION_CLOSED, process, Bus.AT_ONCE)));
  }

  @Test
  void aClosedSessionIsRecordedSoonAfterItsLastProcess() {
    var told = node.hear(Topics.USAGE_RECORDED);
    var sshd = node.jobs.start("sshd");
    node.jobs.adopt(sshd, TestNode.OLDER, TestNode.ALICE);
    assertEquals(TestNode.OLDER, close(sshd).orElseThrow().job());
    sshd.exit();
    UsageRecord last = told.next();
    assertEquals(UsageRecord.Kind.SESSION, last.kind());
    assertEquals(true, last.ended().isPresent());
    assertEquals(1, node.registry.counter("rollcall.account.records", "kind", "session").count());
  }

  @Test
  void whatASessionLeavesBehindIsToldAsItIsClosed() {
    var told = node.hear(Topics.USAGE_RECORDED);
    var sshd = node.jobs.start("sshd");
    node.jobs.adopt(sshd, TestNode.OLDER, TestNode.ALICE);
    node.jobs.follow(node.jobs.start("orted"), sshd);
    close(sshd);
    assertEquals(Optional.empty(), told.next().ended());
  }

  /** sshd waits for its own close for some seconds, and its processes must be found after it. */
  @Test
  void aSessionIsLookedUpWhileOthersThatCloseKeepAllWorkersBusy() throws InterruptedException {
    var sshd = node.jobs.start("sshd");
    node.jobs.adopt(sshd, TestNode.OLDER, TestNode.ALICE);
    var release = new CountDownLatch(1);
    for (int worker = 0; worker < 2; worker++) {
      var _ =
          node.workers.executeBlocking(
              () -> {
                release.await();
                return true;
              },
              false);
    }
    var lookedUp = new CountDownLatch(1);
    Future<Optional<UsageRecord>> closed =
        node.onLoop(() -> node.bus.ask(Queries.SESSION_CLOSED, new Seen(sshd, lookedUp), TWENTY));
    assertTrue(lookedUp.await(20, TimeUnit.SECONDS));
    release.countDown();
    assertTrue(TestNode.await(closed).isPresent());
  }

  @Test
  void ofAJobFromBeforeTheAgentOnlyLaterUsageIsCounted() {
    node.jobs.used(TestNode.OLDER, Duration.ofHours(9));
    var registry = new SimpleMeterRegistry();
    Counter user = registry.counter("rollcall.account.cpu.seconds", "mode", "user");
    var usage = new NodeUsage(node.jobs, registry);
    usage.look();
    assertEquals(0, user.count());
    node.jobs.used(TestNode.OLDER, Duration.ofHours(9).plusSeconds(4));
    node.job(TestNode.NEWER, TestNode.ALICE, JobState.OPEN, 1);
    node.jobs.used(TestNode.NEWER, Duration.ofSeconds(3));
    usage.look();
    assertEquals(7, user.count());
    usage.ended(node.jobs.usage(TestNode.OLDER).getFirst());
    assertEquals(7, user.count());
  }

  @Test
  void aJobFromBeforeTheAgentThatEndsAtOnceIsNotCounted() {
    node.jobs.used(TestNode.OLDER, Duration.ofHours(9));
    var registry = new SimpleMeterRegistry();
    var usage = new NodeUsage(node.jobs, registry);
    usage.ended(node.jobs.usage(TestNode.OLDER).getFirst());
    assertEquals(0, registry.counter("rollcall.account.cpu.seconds", "mode", "user").count());
  }

  private static List<String> meters(MeterRegistry registry) {
    return registry.getMeters().stream()
        .map(meter ->
            meter.getId().getName() + meter.getId().getTags().stream().map(Tag::getValue).toList())
        .filter(name -> !name.contains(".file."))
        .sorted()
        .toList();
  }

  @Test
  void whatNoJobsCgroupsCountIsAbsent() {
    var registry = new SimpleMeterRegistry();
    var usage = new NodeUsage(node.jobs, registry);
    usage.look();
    List<String> counted =
        List.of(
            "rollcall.account.cpu.seconds[system]",
            "rollcall.account.cpu.seconds[user]",
            "rollcall.account.processes[]");
    assertEquals(counted, meters(registry));

    node.jobs.measures(4096);
    node.job(TestNode.NEWER, TestNode.ALICE, JobState.OPEN, 1);
    usage.look();
    assertEquals(8192, registry.get("rollcall.account.memory.bytes").gauge().value());
    assertEquals(8192, registry.counter("rollcall.account.io.bytes", "way", "read").count());
    assertEquals(8192, registry.counter("rollcall.account.io.bytes", "way", "written").count());
  }

  @Test
  void aSecondLookLogsNothing() {
    var usage = new NodeUsage(node.jobs, new SimpleMeterRegistry());
    node.jobs.measures(4096);
    node.job(TestNode.NEWER, TestNode.ALICE, JobState.OPEN, 1);
    try (var logged = LoggedLines.of("io.micrometer")) {
      usage.look();
      usage.look();
      assertEquals(List.of(), logged.lines());
    }
  }

  @Test
  void ofJobsWithoutAccountsTheLastLookCounts() {
    node.jobs.withoutAccounts();
    var registry = new SimpleMeterRegistry();
    Counter user = registry.counter("rollcall.account.cpu.seconds", "mode", "user");
    var usage = new NodeUsage(node.jobs, registry);
    node.job(TestNode.NEWER, TestNode.ALICE, JobState.OPEN, 1);
    node.jobs.used(TestNode.NEWER, Duration.ofSeconds(5));
    usage.look();
    node.jobs.end(TestNode.NEWER, Duration.ofSeconds(1));
    usage.look();
    node.jobs.used(TestNode.OLDER, Duration.ofSeconds(2));
    usage.look();
    assertEquals(7, user.count());
  }

  /** It began and ended between two looks. */
  @Test
  void ofAShortJobWithoutAccountsCountsWhatItUsedAsItsLastStepEnded() {
    node.jobs.withoutAccounts();
    var registry = new SimpleMeterRegistry();
    Counter user = registry.counter("rollcall.account.cpu.seconds", "mode", "user");
    var usage = new NodeUsage(node.jobs, registry);
    node.job(TestNode.NEWER, TestNode.ALICE, JobState.OPEN, 1);
    node.jobs.used(TestNode.NEWER, Duration.ofSeconds(5));
    usage.look(TestNode.NEWER);
    node.jobs.end(TestNode.NEWER, Duration.ofSeconds(1));
    usage.look(TestNode.NEWER);
    usage.look();
    assertEquals(5, user.count());
  }

  @Test
  void accountsAndIncidentsThatNobodyReportsAreAbsent() {
    node.jobs.withoutAccounts();
    var registry = new SimpleMeterRegistry();
    new AccountVerticle(
        node.bus,
        node.beat,
        node.jobs,
        TestNode.IDENTITY.node(),
        new AccountVerticle.Files(node.directory.resolve("usage.jsonl"), node.directory),
        () -> {},
        node.workers,
        registry);
    assertEquals(List.of("rollcall.account.incidents[escaped]"), meters(registry));
  }

  @Test
  void aProcessInNoJobHasNoAccount() {
    assertEquals(Optional.empty(), close(node.jobs.start("sshd")));
  }

  @Test
  void incidentsAreReportedAndCounted() {
    var told = node.hear(Topics.INCIDENT_RECORDED);
    var incident =
        new Incident(
            Incident.Kind.OOM_KILL,
            new JobStep(TestNode.OLDER, StepId.EXTERN),
            OptionalLong.of(1),
            2,
            TestNode.NOON,
            "memory.max of job 41, 33554432 bytes");
    node.jobs.incident(incident);
    assertEquals(incident, told.next());
    assertEquals(
        2, node.registry.counter("rollcall.account.incidents", "kind", "oom-kill").count());
  }
}
