package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.usage.Measure;
import dev.rollcall.model.usage.MeasureDepth;
import dev.rollcall.model.usage.Measured;
import dev.rollcall.model.usage.Usage;
import dev.rollcall.model.usage.UsageRecord;
import dev.rollcall.model.usage.UsageRecord.Kind;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.Jobs.AdoptResult.Adopted;
import dev.rollcall.port.Jobs.EndResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What sessions, steps and jobs used, on this machine's kernel. */
@Tag("root")
class AccountingTest {
  private static final JobId JOB = new JobId(42);
  private static final Duration SOME = Duration.ofMillis(300);

  /** Spins until it is killed. */
  private static final String SPIN = "while :; do :; done";

  private static List<UsageRecord> recorded(Rig rig) {
    List<UsageRecord> heard = Collections.synchronizedList(new ArrayList<>());
    rig.jobs().listen(listener(heard));
    return heard;
  }

  private static Duration cpu(Usage usage) {
    return usage.userTime().orElseThrow().plus(usage.systemTime().orElseThrow());
  }

  private static UsageRecord last(Rig rig) {
    return rig.jobs().usage(JOB).getLast();
  }

  private static UsageRecord first(Rig rig) {
    return rig.jobs().usage(JOB).getFirst();
  }

  private static void spun(Rig rig) {
    Rig.await("some CPU time", () -> cpu(last(rig).usage()).compareTo(SOME) > 0);
  }

  /** Starts a shell that waits for a line before it does anything, and adopts it meanwhile. */
  private static Process session(Rig rig, String script) throws IOException {
    Process shell = rig.run("sh", "-c", "read line; " + script);
    try (Pidfd pinned = Rig.pin(shell)) {
      assertInstanceOf(Adopted.class, rig.adopt(pinned, JOB));
    }
    shell.outputWriter().append("go\n").flush();
    return shell;
  }

  private static CgroupDirectory in(Rig rig, String controller) {
    return rig.directories(42).stream()
        .filter(each -> each.path().startsWith("/sys/fs/cgroup/" + controller))
        .findFirst()
        .orElseThrow();
  }

  /** The kernel cuts each time to microseconds, and divides what it measured by samples. */
  private static void assertNoLess(UsageRecord whole, UsageRecord part) {
    Duration most = cpu(whole.usage()).plusMillis(1);
    assertTrue(most.compareTo(cpu(part.usage())) >= 0, whole + " is less than " + part);
  }

  /** A scrape must not wait for an end that takes seconds, nor for a login. */
  @Test
  void aJobIsMeasuredWhileOthersHoldItsLocks() throws Exception {
    try (Rig rig = new Rig(Choice.V2)) {
      rig.begin(42);
      NativeJob job = rig.jobs().nativeJob(JOB).orElseThrow();
      var found = new CompletableFuture<Measured>();
      job.teardown.lock();
      job.lock.lock();
      try {
        Thread.ofPlatform()
            .daemon()
            .start(() -> rig.jobs().measure(job.job(), MeasureDepth.JOBS, found::complete));
        Measured measured = found.get(60, TimeUnit.SECONDS);
        assertTrue(measured.measures().get(Measure.CPU_USER).isPresent());
      } finally {
        job.lock.unlock();
        job.teardown.unlock();
      }
    }
  }

  @OnEachHierarchy
  void whatASessionUsedStaysInItsStepsAndItsJobsAccount(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      Instant before = Instant.now();
      List<UsageRecord> heard = recorded(rig);
      rig.begin(42);
      Process session = session(rig, SPIN);
      spun(rig);
      rig.finish(Rig.pin(session));
      rig.jobs().reap();
      assertEquals(1, heard.size());
      UsageRecord ended = heard.getFirst();
      assertEquals(Kind.SESSION, ended.kind());
      assertTrue(cpu(ended.usage()).compareTo(SOME) > 0, ended.toString());
      assertTrue(ended.began().isAfter(before), ended.toString());
      assertTrue(ended.ended().orElseThrow().isAfter(ended.began()), ended.toString());
      List<UsageRecord> now = rig.jobs().usage(JOB);
      assertEquals(List.of(Kind.JOB, Kind.STEP), now.stream().map(UsageRecord::kind).toList());
      for (UsageRecord each : now) {
        assertNoLess(each, ended);
      }
      assertInstanceOf(EndResult.Clean.class, rig.jobs().end(JOB, Rig.LONG));
      assertEquals(
          List.of(Kind.SESSION, Kind.STEP, Kind.JOB),
          heard.stream().map(UsageRecord::kind).toList());
      assertNoLess(heard.getLast(), ended);
    }
  }

  @OnEachHierarchy
  void whatDaemonisesStaysInTheJobAndInTheAccountOfItsClosedSession(Choice choice)
      throws IOException {
    try (Rig rig = new Rig(choice)) {
      List<UsageRecord> heard = recorded(rig);
      rig.begin(42);
      Process session = session(rig, "setsid sh -c '" + SPIN + "' & sleep 600");
      // A child that is still a shell could be the daemon's own for the user's side.
      Rig.await(
          "three processes, sleep one of them",
          () -> {
            List<String> commands =
                rig.jobs().processes(JOB).stream().map(JobProcess::command).toList();
            return commands.size() >= 3 && commands.contains("sleep");
          });
      try (Pidfd daemon = Rig.pin(session)) {
        assertTrue(rig.jobs().closing(daemon).flatMap(Jobs.ClosingSession::close).isPresent());
        assertEquals(1, heard.size(), "it was closed and left something");
        assertTrue(heard.getFirst().ended().isEmpty());
        rig.finish(daemon);
      }
      spun(rig);
      Duration soFar = cpu(last(rig).usage());
      assertTrue(soFar.compareTo(cpu(heard.getFirst().usage())) > 0);
      assertEquals(1, heard.size());
      assertInstanceOf(EndResult.Clean.class, rig.jobs().end(JOB, Rig.LONG));
      UsageRecord ended = heard.get(1);
      assertEquals(Kind.SESSION, ended.kind());
      assertTrue(cpu(ended.usage()).compareTo(soFar) >= 0, ended.toString());
      assertEquals(heard.getFirst().began(), ended.began());
    }
  }

  /** Many close at once, and sshd waits for a few seconds only. */
  @OnEachHierarchy
  void whatASessionLeavesIsKilledAlsoIfTheProcessThatClosedItHasEnded(Choice choice)
      throws IOException {
    for (boolean ended : List.of(false, true)) {
      try (Rig rig = new Rig(choice)) {
        var ends = new EndRules(SessionEnd.KILL, EndSignal.ALL, OomKill.PROCESS, Optional.empty());
        rig.reopen(ends);
        rig.begin(42);
        Process session = session(rig, "setsid sleep 600 & setsid sleep 600 & read line");
        Rig.await("two are left", () -> Collections.frequency(commands(rig), "sleep") == 2);
        try (Pidfd daemon = Rig.pin(session)) {
          Jobs.ClosingSession closing = rig.jobs().closing(daemon).orElseThrow();
          if (ended) {
            rig.finish(daemon);
          }
          assertTrue(closing.close().isPresent());
          assertEquals(ended ? List.of() : List.of("sh"), commands(rig));
        }
      }
    }
  }

  private static List<String> commands(Rig rig) {
    return rig.jobs().processes(JOB).stream().map(JobProcess::command).toList();
  }

  @OnEachHierarchy
  void aRestartedAgentGoesOnWithTheAccounts(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      Process session = session(rig, SPIN);
      spun(rig);
      UsageRecord before = last(rig);
      rig.reopen(Rig.BOOT);
      List<UsageRecord> heard = recorded(rig);
      UsageRecord after = last(rig);
      assertEquals(before.began(), after.began());
      assertEquals(before.session(), after.session());
      assertTrue(cpu(after.usage()).compareTo(cpu(before.usage())) >= 0);
      rig.finish(Rig.pin(session));
      rig.jobs().reap();
      assertEquals(before.began(), heard.getFirst().began());
      assertEquals(1, heard.size());
    }
  }

  @Test
  void refusedForksOfASessionThatIsGoneAreStillItsJobs() throws IOException {
    try (Rig rig = new Rig(Choice.V1)) {
      List<UsageRecord> heard = recorded(rig);
      rig.begin(42);
      in(rig, "pids").write("pids.max", "3");
      for (int each = 1; each <= 2; each++) {
        Process session = session(rig, "exec perl -e '" + FORKS + "'");
        Rig.await("it ended", () -> !session.isAlive());
        rig.jobs().reap();
        assertEquals(5, heard.get(each - 1).usage().pidsRefused().orElseThrow());
        assertEquals(5L * each, first(rig).usage().pidsRefused().orElseThrow());
        rig.reopen(Rig.BOOT);
        rig.jobs().listen(listener(heard));
        assertEquals(5L * each, first(rig).usage().pidsRefused().orElseThrow());
      }
      assertInstanceOf(EndResult.Clean.class, rig.jobs().end(JOB, Rig.LONG));
      assertEquals(10, heard.getLast().usage().pidsRefused().orElseThrow());
    }
  }

  /** Fills the limit with sleeping children and is refused five more. */
  private static final String FORKS =
      """
      while ($refused < 5) {
        $kid = fork;
        if (!defined $kid) { $refused++; next }
        if (!$kid) { sleep 600; exit }
        push @kids, $kid;
      }
      kill 9, @kids;
      waitpid $_, 0 for @kids;
      """;

  private static Jobs.Listener listener(List<UsageRecord> heard) {
    return new Jobs.Listener() {
      @Override
      public void changed(Job job) {}

      @Override
      public void recorded(UsageRecord record) {
        heard.add(record);
      }
    };
  }

  /** The periodic check samples. Shared memory counts, files do not; the next agent knows it. */
  @Test
  void thePeakOfRequiredMemoryIsTheHighestSample() throws IOException {
    try (Rig rig = new Rig(Choice.V1)) {
      List<UsageRecord> heard = recorded(rig);
      rig.begin(42);
      long held = 40L << 20;
      Path files = rig.state.resolve("files");
      Path shared = Files.createTempFile(Path.of("/dev/shm"), "rollcall", "");
      Process session =
          session(
              rig,
              "head -c 100000000 /dev/zero >%s; head -c 20971520 /dev/zero >%s;"
                      .formatted(files, shared)
                  + " exec perl -e '$x = \"x\" x (20 << 20); <STDIN>;'");
      var job = in(rig, "memory");
      var extern = job.child("step_extern");
      var leaf = extern.child("user").child("session_1");
      // The kernel adds to the sums of those above some time later.
      Rig.await(
          "it holds memory",
          () -> Stream.of(leaf, extern, job).allMatch(each -> required(each) >= held));
      rig.jobs().reap();
      session.destroyForcibly();
      Rig.await("it ended", () -> !session.isAlive());
      Files.delete(shared);
      Rig.await(
          "its memory is free",
          () -> Stream.of(extern, job).allMatch(each -> required(each) < held));
      rig.reopen(Rig.BOOT);
      rig.jobs().listen(listener(heard));
      assertInstanceOf(EndResult.Clean.class, rig.jobs().end(JOB, Rig.LONG));
      for (Kind kind : Kind.values()) {
        UsageRecord ended =
            heard.stream().filter(each -> each.kind() == kind).findFirst().orElseThrow();
        long peak = ended.usage().details().sampledRequiredPeak().orElseThrow();
        // Perl may hold the string twice; with the files it would be more than 140 MB.
        assertTrue(peak >= held && peak < 3 * held, ended.toString());
        assertTrue(ended.usage().details().anonymous().orElseThrow() < held, ended.toString());
      }
    }
  }

  private static long required(CgroupDirectory memory) {
    try {
      return memory
          .read("memory.stat")
          .lines()
          .filter(line -> line.matches("total_(rss|shmem) .*"))
          .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whatTheKernelKilledForWantOfMemoryIsCountedAfterItsSessionIsGone() throws IOException {
    try (Rig rig = new Rig(Choice.V1)) {
      List<UsageRecord> heard = recorded(rig);
      rig.begin(42);
      long limit = 32L << 20;
      in(rig, "memory").write("memory.limit_in_bytes", Long.toString(limit));
      Process session = session(rig, "perl -e '$x = \"x\" x (200 << 20)'");
      Rig.await("it ended", () -> !session.isAlive());
      rig.jobs().reap();
      UsageRecord ended = heard.getFirst();
      assertEquals(1, ended.usage().oomKills().orElseThrow());
      assertTrue(ended.usage().memoryPeak().orElseThrow() > limit / 2, ended.toString());
      assertEquals(1, first(rig).usage().oomKills().orElseThrow());
      assertEquals(limit, first(rig).usage().memoryPeak().orElseThrow());
    }
  }
}
