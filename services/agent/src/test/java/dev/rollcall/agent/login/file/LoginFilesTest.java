package dev.rollcall.agent.login.file;

import static dev.rollcall.agent.TestNode.ALICE;
import static dev.rollcall.agent.TestNode.BOB;
import static dev.rollcall.agent.TestNode.NEWER;
import static dev.rollcall.agent.TestNode.OLDER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.event.AnnouncedCall;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.JobChosen;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.agent.event.WithdrawnCall;
import dev.rollcall.model.Call;
import dev.rollcall.model.Caller;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.EnvironmentAllowList;
import dev.rollcall.proto.login.v1.Ask;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each file as the PAM module's own code reads it. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LoginFilesTest {
  private static final int OPEN = 2;
  private static final int SUSPENDED = 3;

  @TempDir private Path run;
  private final Counter failures = new SimpleMeterRegistry().counter("failures");
  private Path directory;
  private String boot;
  private TestNode node;
  private long sequence;

  @BeforeEach
  void prepare() throws IOException {
    directory = run.resolve("login");
    boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    node = new TestNode();
  }

  @AfterEach
  void close() throws IOException {
    node.close();
  }

  private NodeFacts facts() {
    return new NodeFacts(boot, "test", "node2", Optional.empty(), "");
  }

  private JobFile jobFile() {
    return new JobFile(boot, EnvironmentAllowList.DEFAULTS, true);
  }

  private LoginFiles files(Supplier<Ask> nodeAsk) {
    return new LoginFiles(
        new LoginDirectory(directory), facts(), jobFile(), nodeAsk, () -> 1, failures);
  }

  private void start() {
    node.loginDirectory = directory;
    node.bootId = boot;
    node.withStages();
  }

  private List<String> show(int uid) throws IOException, InterruptedException {
    return DecideProgram.show(directory, uid);
  }

  /** A line of the program's, once it is so: callers are written on a thread of their own. */
  private void comesToShow(int uid, Predicate<List<String>> wanted) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
    List<String> shown = show(uid);
    while (!wanted.test(shown) && System.nanoTime() < end) {
      shown = show(uid);
    }
    assertTrue(wanted.test(shown), String.join("\n", shown));
  }

  private static String job(JobId id, int state, int minutes) {
    Instant start = TestNode.NOON.plusSeconds(60L * minutes);
    return "job " + id + " " + state + " " + start.getEpochSecond() + "000000000 0";
  }

  private static Predicate<List<String>> callers(long count) {
    return shown -> shown.stream().filter(line -> line.startsWith("caller ")).count() == count;
  }

  private void announce(int port, JobId from, Optional<JobId> wish, int uid) {
    Membership membership =
        wish.isPresent()
            ? new Membership.NoJob()
            : new Membership.InJob(new JobStep(from, StepId.of(0)));
    var caller =
        new Caller(
            "test",
            new NodeName("node1"),
            membership,
            uid,
            new ProcessRef(7, 1),
            TestNode.NOON,
            wish);
    Connection call = TestNode.callFrom(TestNode.FAR, port);
    node.bus.tell(Topics.CALL_ANNOUNCED, new AnnouncedCall(new Call(call, caller), ++sequence, 1));
  }

  @Test
  void aChangeOfAJobIsInTheFilesAsItReturns() throws Exception {
    start();
    assertEquals(
        List.of("agent alive, node node2 of test, ask=0, complete=1", "no user"), show(ALICE));
    Job job = node.job(OLDER, ALICE, JobState.OPEN, 0);
    assertEquals(
        List.of(
            "agent alive, node node2 of test, ask=0, complete=1",
            "user ask=0 chosen=0 more=0",
            job(OLDER, OPEN, 0),
            "file of job 41: gid 0, 1 cgroups, 0 variables"),
        show(ALICE));
    node.jobs.put(job.in(JobState.SUSPENDED));
    assertTrue(show(ALICE).contains(job(OLDER, SUSPENDED, 0)));
    node.jobs.put(job.in(JobState.CLOSED));
    assertEquals("no user", show(ALICE).getLast());
    assertFalse(Files.exists(directory.resolve("jobs/41")));
  }

  @Test
  void aChoiceIsInTheFilesAsItIsAnswered() throws Exception {
    start();
    node.twoJobsOfAlice();
    choose(Optional.of(OLDER));
    assertTrue(show(ALICE).contains("user ask=0 chosen=41 more=0"));
    choose(Optional.empty());
    assertTrue(show(ALICE).contains("user ask=0 chosen=0 more=0"));
    choose(Optional.of(OLDER));
    node.job(OLDER, ALICE, JobState.CLOSED, 0);
    node.job(OLDER, ALICE, JobState.OPEN, 5);
    assertTrue(show(ALICE).contains("user ask=0 chosen=0 more=0"));
  }

  @Test
  void aChoiceOutlivesTheAgentButNotTheBoot() throws Exception {
    start();
    node.twoJobsOfAlice();
    choose(Optional.of(OLDER));
    node.close();
    Files.write(directory.resolve("users/7"), new byte[] {1});
    node = new TestNode();
    node.twoJobsOfAlice();
    start();
    assertTrue(show(ALICE).contains("user ask=0 chosen=41 more=0"));
    LoginFiles ofAnotherBoot =
        new LoginFiles(
            new LoginDirectory(directory),
            new NodeFacts("another", "test", "node2", Optional.empty(), ""),
            jobFile(),
            () -> Ask.ASK_UNSPECIFIED,
            () -> 1,
            failures);
    assertEquals(Map.of(), ofAnotherBoot.recall());
    assertEquals(Map.of(ALICE, OLDER), files(() -> Ask.ASK_UNSPECIFIED).recall());
  }

  private void choose(Optional<JobId> job) {
    TestNode.await(
        node.onLoop(
            () -> node.bus.ask(Queries.JOB_CHOSEN, new JobChosen(ALICE, job), Bus.AT_ONCE)));
  }

  @Test
  void callersAreInTheFilesOfUsersWithSeveralJobs() throws Exception {
    start();
    node.twoJobsOfAlice();
    node.job(new JobId(50), BOB, JobState.OPEN, 0);
    announce(40_001, OLDER, Optional.empty(), ALICE);
    announce(40_002, OLDER, Optional.of(NEWER), ALICE);
    announce(40_003, new JobId(50), Optional.empty(), BOB);
    announce(40_004, OLDER, Optional.of(NEWER), BOB);
    comesToShow(ALICE, callers(2));
    assertTrue(show(ALICE).contains("caller 41 0 port 40001"));
    assertTrue(show(ALICE).contains("caller 42 1 port 40002"));
    assertTrue(callers(0).test(show(BOB)));
    node.bus.tell(
        Topics.ANNOUNCEMENT_WITHDRAWN,
        new WithdrawnCall(
            new NodeName("node1"), TestNode.callFrom(TestNode.FAR, 40_001), ++sequence, 1));
    comesToShow(ALICE, callers(1));
  }

  @Test
  void moreCallersThanThereIsRoomForAreSaid() throws Exception {
    start();
    node.twoJobsOfAlice();
    for (int port = 1; port <= UserFile.CALLERS + 1; port++) {
      announce(port, OLDER, Optional.empty(), ALICE);
    }
    comesToShow(ALICE, shown -> shown.contains("user ask=0 chosen=0 more=1"));
    assertTrue(callers(UserFile.CALLERS).test(show(ALICE)));
    assertFalse(show(ALICE).contains("caller 41 0 port 1"));
  }

  @Test
  void whatAnEarlierAgentLeftIsTakenAway() throws Exception {
    start();
    node.twoJobsOfAlice();
    Files.write(directory.resolve("users/2002"), new byte[] {1});
    Files.write(directory.resolve("users/2002.lock"), new byte[] {});
    Files.write(directory.resolve("users/2001.new"), new byte[] {1});
    Files.write(directory.resolve("jobs/99"), new byte[] {1});
    TestNode later = new TestNode();
    later.job(NEWER, ALICE, JobState.OPEN, 1);
    node.close();
    node = later;
    start();
    try (Stream<Path> files = Files.walk(directory)) {
      assertEquals(
          List.of(
              "agent.lock",
              "jobs/42",
              "log",
              "node",
              "users/2001",
              "users/2001.lock",
              "users/2002.lock"),
          files
              .filter(Files::isRegularFile)
              .map(file -> directory.relativize(file).toString())
              .sorted()
              .toList());
    }
    assertTrue(show(ALICE).contains(job(NEWER, OPEN, 1)));
  }

  @Test
  void filesAreRootsAloneAndOutliveTheAgent() throws Exception {
    node.job(OLDER, ALICE, JobState.OPEN, 0);
    start();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.toList()) {
        assertEquals(
            Files.isDirectory(file) ? "rwx------" : "rw-------",
            PosixFilePermissions.toString(Files.getPosixFilePermissions(file)),
            file::toString);
      }
    }
    TestNode.await(node.vertx.close());
    assertEquals("agent away, node node2 of test, ask=0, complete=1", show(ALICE).getFirst());
    assertTrue(show(ALICE).contains(job(OLDER, OPEN, 0)));
    node = new TestNode();
  }

  @Test
  void whereTheLogIsALinkNothingIsDecidedByFiles() throws Exception {
    Files.createDirectories(directory);
    Path elsewhere = Files.createFile(run.resolve("elsewhere"));
    Files.createSymbolicLink(directory.resolve("log"), elsewhere);
    start();
    assertFalse(Files.exists(directory.resolve("node")));
    assertEquals(0, Files.size(elsewhere));
  }

  /** Every login asks the agent until the files are true again. */
  @Test
  void aFileThatCannotBeWrittenTakesTheNodesAway() throws Exception {
    var ask = new AtomicReference<>(Ask.ASK_UNSPECIFIED);
    LoginFiles files = files(ask::get);
    files.begin();
    Path inTheWay = directory.resolve("users/2001.new");
    Files.createDirectories(inTheWay.resolve("full"));
    var job = new Job(OLDER, ALICE, ALICE, TestNode.NOON, JobState.OPEN);
    files.changed(job, Optional.empty());
    assertEquals(List.of("reading 1: cannot open node: No such file or directory"), show(ALICE));
    assertTrue(files.isOutdated());
    Files.delete(inTheWay.resolve("full"));
    files.changed(job.in(JobState.SUSPENDED), Optional.empty());
    files.renew();
    assertTrue(show(ALICE).contains(job(OLDER, SUSPENDED, 0)));
    assertTrue(show(ALICE).contains("file of job 41: gid 0, 0 cgroups, 0 variables"));
    assertFalse(files.isOutdated());
    assertEquals(1, failures.count());
    ask.set(Ask.ASK_JOBS_UNKNOWN);
    files.renew();
    assertEquals("agent alive, node node2 of test, ask=5, complete=1", show(ALICE).getFirst());
    files.close();
  }

  @Test
  void thatTheJobsAreUnknownIsInTheFilesAtOnce() throws Exception {
    start();
    node.jobs.unknown(Optional.of("Slurm's spool directory /s is no directory"));
    assertEquals("agent alive, node node2 of test, ask=5, complete=1", show(ALICE).getFirst());
    node.jobs.unknown(Optional.empty());
    assertEquals("agent alive, node node2 of test, ask=0, complete=1", show(ALICE).getFirst());
  }

  @Test
  void anAgentWhoseDirectoryWasRemovedIsSeenToLiveAfterwards() throws Exception {
    LoginFiles files = files(() -> Ask.ASK_UNSPECIFIED);
    files.begin();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
    var job = new Job(OLDER, ALICE, ALICE, TestNode.NOON, JobState.OPEN);
    files.changed(job, Optional.empty());
    files.renew();

    assertEquals("agent alive, node node2 of test, ask=0, complete=1", show(ALICE).getFirst());
    files.close();
  }

  @Test
  void aChangeBeforeTheFirstListIsTheLaterWord() throws Exception {
    LoginFiles files = files(() -> Ask.ASK_UNSPECIFIED);
    var job = new Job(OLDER, ALICE, ALICE, TestNode.NOON, JobState.OPEN);
    files.changed(job.in(JobState.CLOSED), Optional.empty());
    files.known(job, Optional.empty());
    files.begin();
    assertEquals("no user", show(ALICE).getLast());
    files.close();
  }

  @Test
  void aChangeBeforeTheFirstListIsNotDecidedByAnEarlierAgentsFiles() throws Exception {
    node.job(OLDER, ALICE, JobState.OPEN, 0);
    start();
    TestNode.await(node.vertx.close());
    assertTrue(show(ALICE).contains(job(OLDER, OPEN, 0)));
    LoginFiles files = files(() -> Ask.ASK_UNSPECIFIED);
    var job = new Job(OLDER, ALICE, ALICE, TestNode.NOON, JobState.CLOSING);
    files.changed(job, Optional.empty());
    assertEquals(List.of("reading 1: cannot open node: No such file or directory"), show(ALICE));
    files.begin();
    assertEquals("agent alive, node node2 of test, ask=0, complete=1", show(ALICE).getFirst());
    files.close();
    files.changed(job.in(JobState.CLOSED), Optional.empty());
    assertEquals("agent away, node node2 of test, ask=0, complete=1", show(ALICE).getFirst());
    node = new TestNode();
  }
}
