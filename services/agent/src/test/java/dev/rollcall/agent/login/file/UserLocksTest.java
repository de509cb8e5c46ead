package dev.rollcall.agent.login.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.login.file.UserLocks.Wait;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.allocation.EnvironmentAllowList;
import dev.rollcall.proto.login.v1.Ask;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Against logins of another process, by the PAM module's own code. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
@SuppressWarnings("try") // locks are let go of in the middle
class UserLocksTest {
  private static final int ALICE = 2001;
  private static final int BOB = 2002;
  private static final Job ALICES = job(41, ALICE);
  private static final Job BOBS = job(42, BOB);
  private static final Duration LONG = Duration.ofSeconds(50);
  private static final Duration SHORT = Duration.ofMillis(20);

  /** The common pool has one thread on a small machine. */
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @TempDir private Path run;
  private Path directory;

  @BeforeEach
  void prepare() {
    directory = run.resolve("login");
  }

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  private static Job job(long id, int uid) {
    return new Job(new JobId(id), uid, uid, Instant.EPOCH, JobState.OPEN);
  }

  private LoginFiles files(Duration forLogins, Optional<Path> slurmSpool) throws IOException {
    String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    var files =
        new LoginFiles(
            new LoginDirectory(directory, forLogins),
            new NodeFacts(boot, "test", "node2", slurmSpool, ""),
            new JobFile(boot, EnvironmentAllowList.DEFAULTS, true),
            () -> Ask.ASK_UNSPECIFIED,
            () -> 1,
            new SimpleMeterRegistry().counter("failures"));
    files.begin();
    for (Job job : List.of(ALICES, BOBS)) {
      files.changed(job, Optional.empty());
    }
    return files;
  }

  private String shown(int uid) throws IOException, InterruptedException {
    return String.join("\n", DecideProgram.show(directory, uid));
  }

  @Test
  void aUsersLockIsThereWithTheirFileAndStays() throws Exception {
    try (LoginFiles files = files(LONG, Optional.empty())) {
      Path lock = directory.resolve("users/2001.lock");
      assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(lock)));
      Object inode = Files.getAttribute(lock, "unix:ino");
      files.changed(ALICES.in(JobState.CLOSING), Optional.empty());
      files.changed(ALICES.in(JobState.CLOSED), Optional.empty());
      assertFalse(Files.exists(directory.resolve("users/2001")));
      files.begin();
      assertEquals(inode, Files.getAttribute(lock, "unix:ino"));
    }
  }

  @Test
  void anEndIsWrittenFirstAndThenWaitsForALoginThatIsUnderWay() throws Exception {
    try (LoginFiles files = files(LONG, Optional.empty());
        HeldLock login = new HeldLock(run, ALICE)) {
      for (JobState state : List.of(JobState.SUSPENDED, JobState.CLOSING)) {
        var end =
            CompletableFuture.runAsync(
                () -> files.changed(ALICES.in(state), Optional.empty()), threads);
        String wanted = "job 41 " + (state == JobState.SUSPENDED ? 3 : 4);
        while (!shown(ALICE).contains(wanted)) {
          Thread.onSpinWait();
        }
        // Nothing of another user's waits, nor what lets sessions enter.
        files.changed(BOBS.in(JobState.SUSPENDED), Optional.empty());
        files.changed(BOBS, Optional.empty());
        files.changed(BOBS.in(JobState.CLOSING), Optional.empty());
        files.changed(BOBS.in(JobState.CLOSED), Optional.empty());
        files.changed(BOBS, Optional.empty());
        assertFalse(end.isDone());
        if (state == JobState.CLOSING) {
          login.close();
          end.get(50, TimeUnit.SECONDS);
        }
      }
    }
  }

  @Test
  void anEndGoesOnWithoutALoginThatHangs() throws Exception {
    try (LoginFiles files = files(SHORT, Optional.empty());
        HeldLock login = new HeldLock(run, ALICE)) {
      files.changed(ALICES.in(JobState.CLOSING), Optional.empty());
      assertTrue(shown(ALICE).contains("job 41 4"), shown(ALICE));
      login.close();
    }
  }

  @Test
  void nobodyWaitsForLoginsIntoSlurmsJobs() throws Exception {
    try (LoginFiles files = files(LONG, Optional.of(Path.of("/var/spool/slurmd")));
        HeldLock login = new HeldLock(run, ALICE)) {
      files.changed(ALICES.in(JobState.CLOSING), Optional.empty());
      assertTrue(shown(ALICE).contains("job 41 4"), shown(ALICE));
      login.close();
    }
  }

  @Test
  void severalThreadsWaitForOneUserAtTheSameTime() throws Exception {
    files(LONG, Optional.empty()).close();
    var locks = new UserLocks(directory.resolve("users"), LONG);
    List<CompletableFuture<Wait>> waits;
    try (HeldLock login = new HeldLock(run, ALICE)) {
      waits =
          List.of(
              CompletableFuture.supplyAsync(() -> locks.awaitLogins(ALICE), threads),
              CompletableFuture.supplyAsync(() -> locks.awaitLogins(ALICE), threads));
      assertInstanceOf(Wait.Over.class, locks.awaitLogins(BOB));
      assertFalse(waits.stream().anyMatch(CompletableFuture::isDone));
      login.close();
    }
    for (CompletableFuture<Wait> wait : waits) {
      assertInstanceOf(Wait.Over.class, wait.get(50, TimeUnit.SECONDS));
    }
  }

  @Test
  void theReasonNamesTheFile() throws Exception {
    files(LONG, Optional.empty()).close();
    try (HeldLock login = new HeldLock(run, ALICE)) {
      var wait = new UserLocks(directory.resolve("users"), SHORT).awaitLogins(ALICE);
      String reason = assertInstanceOf(Wait.InVain.class, wait).reason();
      assertTrue(reason.contains("users/2001.lock after 20 ms"), reason);
      login.close();
    }
    var none = new UserLocks(directory.resolve("users"), SHORT).awaitLogins(7);
    assertInstanceOf(Wait.Over.class, none, "a user without a lock has no login under way");
  }
}
