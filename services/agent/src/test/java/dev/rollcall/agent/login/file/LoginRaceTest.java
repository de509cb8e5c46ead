package dev.rollcall.agent.login.file;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.login.file.RacingLogins.Outcome;
import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.Freezer;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.linux.process.ProcessStat;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.port.Jobs.EndOrder;
import dev.rollcall.port.Jobs.EndResult;
import dev.rollcall.port.Jobs.StateResult;
import dev.rollcall.testkit.count.Counts;
import dev.rollcall.testkit.log.LoggedLines;
import dev.rollcall.testkit.process.Eventually;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Logins that the PAM module carries out, against the end and the suspension of their job, many
 * times, each time a little earlier or later. The files decide, or an agent has decided before.
 */
@Tag("root")
@Tag("host")
class LoginRaceTest {
  private static final int ROUNDS = Counts.of(60, 10_000);

  private static final int ALICE = 2001;
  private static final Proc PROC = new Proc(Path.of("/proc"));
  private static final Duration LONG = Duration.ofSeconds(30);

  private static final JobId SUSPENDED = new JobId(42);

  private static final Duration INSTANT = Duration.ofMillis(1);

  /** Steps by which one side is shifted. */
  private static final int SHIFTS = 16;

  private static final long MICROSECONDS_OF_A_SHIFT = 60;

  /** A job's cgroups of ended sessions stay until it ends, and each look at the job walks them. */
  private static final int SUSPENSIONS_OF_A_JOB = 250;

  /** Of the log: more than one record. */
  private static final int END = 16 << 10;

  @TempDir(factory = InMemory.class)
  private Path run;

  private static long shift(int round) {
    return round % SHIFTS * MICROSECONDS_OF_A_SHIFT;
  }

  /** As the agent would, before the login comes to the files. */
  private static Optional<JobId> decided(int round, JobId job) {
    return round / SHIFTS % 2 == 0 ? Optional.empty() : Optional.of(job);
  }

  private static boolean lives(int pid) {
    return PROC.stat(pid).filter(its -> !its.zombie()).isPresent();
  }

  private void print(String what, Choice choice, Map<String, Integer> counts) {
    System.out.printf("login races %s on %s: %d rounds, %s%n", what, choice, ROUNDS, counts);
  }

  @ParameterizedTest
  @MethodSource("dev.rollcall.agent.login.file.NativeNode#choices")
  void noLoginOutlivesTheEndOfItsJob(Choice choice) throws Exception {
    Map<String, Integer> counts = new TreeMap<>();
    // The node first of all: what is frozen ends with its job, and its logins' program with it.
    try (RacingLogins logins = new RacingLogins(run, ALICE);
        ExecutorService threads = Executors.newCachedThreadPool();
        NativeNode node = new NativeNode(choice, run)) {
      for (int round = 0; round < ROUNDS; round++) {
        Outcome outcome = againstEnd(node, threads, logins, round);
        counts.merge(outcome.word(), 1, Integer::sum);
      }
      assertEquals(List.of(), node.pids());
    }
    print("end", choice, counts);
    assertTrue(counts.size() > 1, "both come to pass: " + counts);
  }

  private static Outcome againstEnd(
      NativeNode node, ExecutorService threads, RacingLogins logins, int round) throws Exception {
    JobId job = new JobId(1 + round);
    node.begin(job.number(), ALICE);
    Duration grace = round % 3 == 1 ? LONG : Duration.ZERO;
    int pid = logins.start(shift(round), decided(round, job));
    var end =
        CompletableFuture.supplyAsync(
            () -> node.jobs.end(job, new EndOrder("", grace, LONG)), threads);
    Outcome outcome = logins.outcome();
    assertInstanceOf(EndResult.Clean.class, end.get(60, TimeUnit.SECONDS));
    if (outcome.joined()) {
      assertFalse(lives(pid), "process " + pid + " joined, and lives after the end: " + outcome);
    }
    assertFalse(node.job(job.number()).exists());
    return outcome;
  }

  @ParameterizedTest
  @MethodSource("dev.rollcall.agent.login.file.NativeNode#choices")
  void noLoginRunsInAJobThatIsSuspended(Choice choice) throws Exception {
    Map<String, Integer> counts = new TreeMap<>();
    // The node first of all: what is frozen ends with its job, and its logins' program with it.
    try (LoggedLines warnings = LoggedLines.of(LoginFiles.class.getName());
        RacingLogins logins = new RacingLogins(run, ALICE);
        ExecutorService threads = Executors.newCachedThreadPool();
        NativeNode node = new NativeNode(choice, run)) {
      for (int round = 0; round < ROUNDS; round++) {
        if (round % SUSPENSIONS_OF_A_JOB == 0) {
          node.jobs.end(SUSPENDED, LONG);
          node.begin(SUSPENDED.number(), ALICE);
        }
        int before = warnings.lines().size();
        String word =
            againstSuspension(node, threads, logins, round, () -> warnings.lines().size() > before);
        counts.merge(word, 1, Integer::sum);
      }
    }
    print("suspension", choice, counts);
    assertTrue(counts.size() > 1, "both come to pass: " + counts);
  }

  /**
   * @param late whether the agent has stopped waiting for the login, which a busy machine kept from
   *     running: such a one may be frozen before its record, and makes that when the job is resumed
   */
  private String againstSuspension(
      NativeNode node,
      ExecutorService threads,
      RacingLogins logins,
      int round,
      BooleanSupplier late)
      throws Exception {
    int pid = logins.start(shift(round), decided(round, SUSPENDED));
    var suspension = CompletableFuture.supplyAsync(() -> node.jobs.suspend(SUSPENDED), threads);
    assertInstanceOf(StateResult.Reached.class, suspension.get(60, TimeUnit.SECONDS));
    // A login whose process stands still cannot say so; all others have a word.
    Optional<Outcome> early = logins.outcome(INSTANT);
    while (early.isEmpty() && !isIn(node, pid)) {
      early = logins.outcome(INSTANT);
    }
    boolean inside = isIn(node, pid);
    boolean joined = early.map(Outcome::joined).orElse(inside);
    assertEquals(joined, inside, () -> "process " + pid + " is elsewhere than its login says");
    CgroupDirectory suspended = node.job(SUSPENDED.number());
    assertTrue(Freezer.of(suspended).orElseThrow().frozen(suspended));
    if (inside) {
      assertStandsStill(pid);
      assertTrue(
          late.getAsBoolean() || isRecorded(node, pid),
          "joined, and stands still without a record");
    }
    // A login that is frozen while it holds the lock would keep the next change waiting.
    if (!late.getAsBoolean()) {
      assertInstanceOf(
          UserLocks.Wait.Over.class,
          new UserLocks(node.login.resolve("users"), Duration.ofSeconds(1)).awaitLogins(ALICE));
    }
    boolean wasLate = late.getAsBoolean();
    assertInstanceOf(StateResult.Reached.class, node.jobs.resume(SUSPENDED));
    Outcome outcome = early.isPresent() ? early.get() : logins.outcome();
    assertEquals(inside, outcome.joined(), outcome.toString());
    assertTrue(!inside || isRecorded(node, pid), "joined and resumed, without a record");
    finish(pid);
    return outcome.word() + (wasLate ? ", late" : "");
  }

  private static boolean isIn(NativeNode node, int pid) throws IOException {
    return node.jobs.processes(SUSPENDED).stream()
        .map(JobProcess::process)
        .anyMatch(process -> process.pid() == pid);
  }

  private static void assertStandsStill(int pid) throws Exception {
    List<String> before = switches(pid);
    Thread.sleep(2); // ten of its sleeps
    assertEquals(before, switches(pid), "process " + pid + " runs");
  }

  /** How often it has been scheduled, proc(5). */
  private static List<String> switches(int pid) throws IOException {
    return Files.readAllLines(Path.of("/proc", Integer.toString(pid), "status")).stream()
        .filter(line -> line.contains("ctxt_switches"))
        .toList();
  }

  /** Whether the log has the session's number, of which the module makes the cgroup's name. */
  private static boolean isRecorded(NativeNode node, int pid) throws IOException {
    long start = PROC.stat(pid).map(ProcessStat::startTime).orElseThrow();
    String leaf = "session_" + ((1L << 32) + (start << 22 | pid));
    return endOf(node.login.resolve("log")).contains(leaf);
  }

  /** It has the newest record: one login after the other is recorded here. */
  private static String endOf(Path log) throws IOException {
    try (var file = FileChannel.open(log)) {
      var end = ByteBuffer.allocate(END);
      file.read(end, Math.max(0, file.size() - END));
      return new String(end.array(), ISO_8859_1);
    }
  }

  /** Java's own wait for a process that is not its child looks three times a second. */
  private static void finish(int pid) {
    ProcessHandle.of(pid)
        .ifPresent(process -> {
          process.destroyForcibly();
          Eventually.await(LONG, () -> !lives(pid), () -> "process " + pid + " lives");
        });
  }
}
