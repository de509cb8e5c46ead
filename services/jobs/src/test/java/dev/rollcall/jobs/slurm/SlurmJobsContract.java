package dev.rollcall.jobs.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.slurm.SlurmRig.Daemon;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.CgroupIds;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Leftover;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NamespaceType;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.model.usage.MeasureDepth;
import dev.rollcall.model.usage.UsageRecord;
import dev.rollcall.port.JobNamespaces;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.Jobs.BeginResult;
import dev.rollcall.port.Jobs.EndResult;
import dev.rollcall.port.Jobs.From;
import dev.rollcall.port.Jobs.JobSpec;
import dev.rollcall.port.Jobs.LimitResult;
import dev.rollcall.port.Jobs.StateResult;
import dev.rollcall.port.Jobs.StepResult;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the provider does on a node of Slurm's, whatever its release and its cgroups. */
@Tag("root")
abstract class SlurmJobsContract {
  private static final JobId JOB = new JobId(42);
  private static final JobStep EXTERN = new JobStep(JOB, StepId.EXTERN);
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final Duration WAIT = Duration.ofSeconds(5);

  final SlurmRig rig;

  SlurmJobsContract(SlurmRig.Kind kind) {
    rig = new SlurmRig(kind);
  }

  @AfterEach
  void leaveNothing() {
    rig.close();
  }

  private static JobSpec spec(Map<String, String> environment) {
    return new JobSpec(
        JOB,
        SlurmRig.ALICE,
        100,
        NOON,
        new Allocation(Limits.NONE, DeviceRules.OPEN, environment, List.of()));
  }

  private AdoptResult adopt(Pidfd process) {
    return rig.adopt(process, JOB);
  }

  private Daemon open(String... behaviour) {
    Daemon daemon = rig.starting(42);
    for (String each : behaviour) {
      daemon.be(each);
    }
    daemon.be("state 2");
    rig.awaitState(42, JobState.OPEN);
    return daemon;
  }

  /** A job with a display, which only its daemon gives: it is asked at each login. */
  private Daemon askedAbout() {
    return open("display 11");
  }

  @Test
  void aJobIsOpenOnceItsExternStepRuns() throws IOException {
    Daemon daemon = rig.starting(42);
    rig.awaitState(42, JobState.BEGINNING);
    daemon.be("state 2");
    rig.awaitState(42, JobState.OPEN);
    Instant made = Files.getLastModifiedTime(rig.socket(42)).toInstant();
    assertEquals(
        List.of(new Job(JOB, SlurmRig.ALICE, SlurmRig.ALICE + 1, made, JobState.OPEN)),
        rig.jobs().list());
    assertEquals(List.of(JobState.BEGINNING, JobState.OPEN), rig.heardOf(42));
    assertEquals(Optional.empty(), rig.jobs().trouble());
  }

  @Test
  void anAdoptedProcessIsInTheExternStepByEveryQuestion() {
    rig.extern(42);
    Pidfd process = rig.sleeper();
    var adopted = assertInstanceOf(AdoptResult.Adopted.class, adopt(process));
    assertEquals(EXTERN, adopted.step());
    assertEquals(
        Optional.of(adopted.cgroup()), rig.cgroups(process.ref().pid()).in(adopted.hierarchy()));
    assertEquals("42", adopted.setup().environment().get("SLURM_JOB_ID"));
    Membership in = new Membership.InJob(EXTERN);
    assertEquals(Optional.of(in), rig.jobs().membershipOf(process.ref()));
    assertEquals(Optional.of(in), rig.jobs().membershipOf(rig.idsOf(42)));
    assertEquals(Optional.of(new Membership.NoJob()), rig.jobs().membershipOf(new CgroupIds(5, 5)));
    assertEquals(
        List.of(process.ref()),
        rig.jobs().processes(JOB).stream().map(it -> it.process()).toList());
    SlurmRig.await("its daemon is told", () -> rig.jobs().counts().reported.sum() == 1);
    assertEquals(adopted, adopt(process));
    assertEquals(1, rig.jobs().counts().reported.sum());
    assertEquals(0, rig.jobs().counts().byRequest.sum());
  }

  @Test
  void aDaemonThatIsAskedTakesAProcessOnce() {
    askedAbout();
    Pidfd process = rig.sleeper();
    var adopted = assertInstanceOf(AdoptResult.Adopted.class, adopt(process));
    assertEquals(EXTERN, adopted.step());
    assertEquals(adopted, adopt(process));
    assertEquals(1, rig.jobs().counts().byRequest.sum());
    assertEquals(0, rig.jobs().counts().reported.sum());
  }

  @Test
  void noLoginWaitsForADaemonThatIsToldAfterwards() {
    rig.extern(42).be("silent");
    Pidfd process = rig.sleeper();
    assertEquals(EXTERN, assertInstanceOf(AdoptResult.Adopted.class, adopt(process)).step());
    SlurmRig.await("it is counted", () -> rig.jobs().counts().unreported.sum() == 1);
    assertTrue(process.alive());
  }

  @Test
  void aProcessThatEntersAStepThatEndsIsKilled() {
    rig.extern(42).be("state 3");
    Pidfd process = rig.sleeper();
    assertInstanceOf(AdoptResult.Adopted.class, adopt(process));
    SlurmRig.await("it is killed", () -> !process.alive());
    rig.awaitState(42, JobState.CLOSING);
    SlurmRig.await("it is counted", () -> rig.jobs().counts().ended.sum() == 1);
  }

  @Test
  void reportsThatAreDueAreMadeAtTheAgentsEnd() throws IOException {
    rig.extern(42);
    assertInstanceOf(AdoptResult.Adopted.class, adopt(rig.sleeper()));
    SlurmCounts counts = rig.jobs().counts();
    rig.jobs().close();
    assertEquals(1, counts.reported.sum());
  }

  @Test
  void aProcessThatMayComeFromOutsideAloneStaysInItsJob() {
    rig.extern(42);
    rig.extern(43);
    Pidfd process = rig.sleeper();
    assertInstanceOf(AdoptResult.Adopted.class, adopt(process));
    assertEquals(
        new AdoptResult.Kept("process " + process.ref().pid() + " is in job 42"),
        rig.jobs().adopt(process, new JobId(43), SlurmRig.ALICE, From.NO_JOB));
    assertEquals(Optional.of(new Membership.InJob(EXTERN)), rig.jobs().membershipOf(process.ref()));
  }

  @Test
  void aProcessOutsideIsInNoJobAndOneThatEndedIsNotAdopted() throws InterruptedException {
    rig.extern(42);
    Pidfd process = rig.sleeper();
    assertEquals(Optional.of(new Membership.NoJob()), rig.jobs().membershipOf(process.ref()));
    ProcessHandle handle = ProcessHandle.of(process.ref().pid()).orElseThrow();
    handle.destroyForcibly();
    SlurmRig.await("it ended", () -> !process.alive());
    assertInstanceOf(AdoptResult.Failed.class, adopt(process));
  }

  @Test
  void aJobOfAnotherUserAdoptsNobody() {
    rig.extern(42);
    Pidfd process = rig.sleeper();
    assertEquals(
        new AdoptResult.NotOpen("uid 7 has no job 42 on this node"),
        rig.jobs().adopt(process, JOB, 7));
    assertEquals(Optional.of(new Membership.NoJob()), rig.jobs().membershipOf(process.ref()));
  }

  /** Programs that users start elsewhere are outside of their jobs. */
  @Test
  void theScopeOfAllJobsIsKnownWithTheFirstOneOnV2() {
    assertEquals(Optional.empty(), rig.jobs().scope());
    rig.extern(42);
    rig.awaitState(42, JobState.OPEN);
    assertEquals(rig.scope(), rig.jobs().scope());
  }

  @Test
  void whatThePrologSaysHoldsFromItsStartToTheEpilog() throws IOException {
    JobSpec spec = spec(Map.of("CUDA_VISIBLE_DEVICES", "3"));
    Job beginning = new Job(JOB, SlurmRig.ALICE, 100, NOON, JobState.BEGINNING);
    assertEquals(new BeginResult.Begun(beginning), rig.jobs().begin(spec));
    assertEquals(new BeginResult.Begun(beginning), rig.jobs().begin(spec));
    assertInstanceOf(AdoptResult.NotOpen.class, adopt(rig.sleeper()));
    Daemon daemon = rig.extern(42);
    assertEquals(List.of(beginning.in(JobState.OPEN)), rig.jobs().list());
    rig.reopen(false);
    assertEquals(List.of(beginning.in(JobState.OPEN)), rig.jobs().list());
    var adopted = assertInstanceOf(AdoptResult.Adopted.class, adopt(rig.sleeper()));
    assertEquals("3", adopted.setup().environment().get("CUDA_VISIBLE_DEVICES"));
    assertEquals(100, adopted.setup().gid().orElseThrow());
    daemon.end();
    rig.awaitGone(42);
    assertEquals(new EndResult.NoSuchJob(), rig.jobs().end(JOB, WAIT));
    rig.reopen(false);
    assertEquals(List.of(), rig.jobs().list());
  }

  @Test
  void whatNoPrologToldIsAGuessUntilItIsConfirmed() throws IOException {
    Daemon daemon = rig.extern(42);
    rig.extern(41);
    assertEquals(Set.of(JOB, new JobId(41)), rig.jobs().guessed());
    assertEquals(List.of(42L, 41L), oldestFirst());
    Instant later = Instant.now().plusSeconds(60).truncatedTo(ChronoUnit.SECONDS);
    Job told = new Job(JOB, SlurmRig.ALICE, 100, later, JobState.OPEN);
    assertEquals(
        new BeginResult.Begun(told),
        rig.jobs().confirm(new JobSpec(JOB, SlurmRig.ALICE, 100, later)));
    assertEquals(List.of(41L, 42L), oldestFirst());
    assertEquals(told, rig.heard.getLast());
    assertEquals(List.of(JobState.BEGINNING, JobState.OPEN), rig.heardOf(42));
    assertEquals(Set.of(new JobId(41)), rig.jobs().guessed());
    rig.reopen(false);
    assertEquals(told, rig.jobs().list().getLast());
    assertEquals(Set.of(new JobId(41)), rig.jobs().guessed());
    rig.jobs().reap();
    assertEquals(Set.of(new JobId(41)), rig.jobs().guessed());
    daemon.end();
    rig.awaitGone(42);
    rig.extern(42);
    assertEquals(Set.of(JOB, new JobId(41)), rig.jobs().guessed());
  }

  private List<Long> oldestFirst() {
    return rig.jobs().list().stream().map(job -> job.id().number()).toList();
  }

  @Test
  void nothingIsConfirmedOfAnotherOwnersJobNorOverAPrologNorOfOneThatIsNotHere() {
    JobSpec told = new JobSpec(JOB, SlurmRig.ALICE, 7, NOON.plusSeconds(60));
    assertInstanceOf(BeginResult.Refused.class, rig.jobs().confirm(told));
    assertEquals(List.of(), rig.jobs().list());
    rig.extern(42);
    var refused =
        assertInstanceOf(
            BeginResult.Refused.class, rig.jobs().confirm(new JobSpec(JOB, 7, 7, NOON)));
    assertTrue(refused.reason().contains("1001"), refused.reason());
    assertEquals(Set.of(JOB), rig.jobs().guessed());
    rig.jobs().begin(spec(Map.of("CUDA_VISIBLE_DEVICES", "3")));
    assertEquals(Set.of(), rig.jobs().guessed());
    assertInstanceOf(BeginResult.Refused.class, rig.jobs().confirm(told));
    assertEquals(
        List.of(new Job(JOB, SlurmRig.ALICE, 100, NOON, JobState.OPEN)), rig.jobs().list());
    var adopted = assertInstanceOf(AdoptResult.Adopted.class, adopt(rig.sleeper()));
    assertEquals("3", adopted.setup().environment().get("CUDA_VISIBLE_DEVICES"));
  }

  /** A step daemon makes its socket and then lets everybody connect. */
  @Test
  void aSocketWhoseModeIsSetIsTheSameJobs() throws IOException {
    rig.jobs().begin(spec(Map.of("CUDA_VISIBLE_DEVICES", "3")));
    Daemon daemon = rig.starting(42);
    rig.jobs().reap();
    Files.setPosixFilePermissions(rig.socket(42), PosixFilePermissions.fromString("rwxrwxrwx"));
    rig.jobs().reap();
    daemon.be("state 2");
    rig.awaitState(42, JobState.OPEN);
    assertEquals(List.of(JobState.BEGINNING, JobState.OPEN), rig.heardOf(42));
    var adopted = assertInstanceOf(AdoptResult.Adopted.class, adopt(rig.sleeper()));
    assertEquals("3", adopted.setup().environment().get("CUDA_VISIBLE_DEVICES"));
  }

  /** It ran again while the agent was away. */
  @Test
  void whatWasConfirmedOfAnEarlierRunIsForgotten() throws IOException {
    Path note = rig.state.resolve("slurm/42.job");
    rig.write(note, "teller=GATEWAY\nuid=1001\ngid=100\nstarted=2026-11-20T12\\:00\\:00Z\n");
    Files.setLastModifiedTime(note, FileTime.from(Instant.now().minusSeconds(60)));
    rig.reopen(false);
    rig.extern(42);
    assertEquals(Set.of(JOB), rig.jobs().guessed());
    assertFalse(Files.exists(note));
  }

  @Test
  void anEpilogWithoutAnExternStepEndsTheJob() {
    rig.jobs().begin(spec(Map.of()));
    assertEquals(new EndResult.Clean(0), rig.jobs().end(JOB, WAIT));
    assertEquals(List.of(), rig.jobs().list());
    assertEquals(List.of(JobState.BEGINNING, JobState.CLOSING, JobState.CLOSED), rig.heardOf(42));
  }

  @Test
  void anotherOwnerThanTheDaemonsIsRefusedNamingBoth() {
    rig.extern(42);
    var refused =
        assertInstanceOf(BeginResult.Refused.class, rig.jobs().begin(new JobSpec(JOB, 7, 7, NOON)));
    assertTrue(refused.reason().contains("1001"), refused.reason());
    assertTrue(refused.reason().contains("uid 7"), refused.reason());
  }

  @Test
  void aFrozenJobIsSuspendedUntilItIsThawed() {
    rig.extern(42);
    rig.freeze(42, true);
    rig.awaitState(42, JobState.SUSPENDED);
    var refused = assertInstanceOf(AdoptResult.NotOpen.class, adopt(rig.sleeper()));
    assertTrue(refused.reason().contains("suspended"), refused.reason());
    rig.freeze(42, false);
    rig.awaitState(42, JobState.OPEN);
    assertInstanceOf(AdoptResult.Adopted.class, adopt(rig.sleeper()));
  }

  /** Nobody waits for a login that was frozen on its way in. */
  @Test
  void aProcessThatEntersWhileTheJobIsFrozenIsMovedBack() {
    Daemon daemon = askedAbout();
    daemon.be("freeze " + rig.freezing(42));
    Pidfd process = rig.sleeper();
    var before = rig.cgroups(process.ref().pid());
    assertInstanceOf(AdoptResult.NotOpen.class, adopt(process));
    assertEquals(before, rig.cgroups(process.ref().pid()));
    assertEquals(Optional.of(JobState.SUSPENDED), rig.state(42));
  }

  @Test
  void aStepThatEndsTakesNobody() throws IOException {
    Daemon daemon = askedAbout();
    daemon.be("state 3");
    Pidfd process = rig.sleeper();
    assertInstanceOf(AdoptResult.NotOpen.class, adopt(process));
    assertEquals(Optional.of(JobState.CLOSING), rig.state(42));
    daemon.end();
    rig.awaitGone(42);
    assertEquals(
        List.of(JobState.BEGINNING, JobState.OPEN, JobState.CLOSING, JobState.CLOSED),
        rig.heardOf(42));
    assertEquals(Optional.of(new Membership.NoJob()), rig.jobs().membershipOf(process.ref()));
    assertInstanceOf(AdoptResult.NotOpen.class, adopt(process));
  }

  @Test
  void aStepThatOutlastsItsJobKeepsNobodyAwake() throws IOException {
    Daemon daemon = rig.extern(42);
    Path step = Files.createFile(rig.spool.resolve("n1_42.0"));
    daemon.end();
    rig.awaitGone(42);
    Files.delete(step);
    Daemon later = rig.extern(43); // it was heard of: so was the step's end
    later.end();
    rig.awaitGone(43);
    long before = waitsOfTheWatch();
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
    long waits = waitsOfTheWatch() - before;
    assertTrue(waits < 20, waits + " waits within 300 ms");
  }

  /** How often its thread has waited until now. */
  private static long waitsOfTheWatch() {
    var threads = ManagementFactory.getThreadMXBean();
    return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
        .filter(thread -> thread != null && thread.getThreadName().equals("rollcall-slurm"))
        .mapToLong(ThreadInfo::getWaitedCount)
        .sum();
  }

  @Test
  void aJobThatIsRunAgainIsAnotherOne() throws IOException {
    rig.extern(42).end();
    rig.awaitGone(42);
    rig.extern(42);
    assertInstanceOf(AdoptResult.Adopted.class, adopt(rig.sleeper()));
  }

  @Test
  void whatTheDaemonSaysIsNoProof() {
    askedAbout().be("lie");
    Pidfd process = rig.sleeper();
    var failed = assertInstanceOf(AdoptResult.Failed.class, adopt(process));
    assertTrue(failed.reason().contains("/proc/" + process.ref().pid()), failed.reason());
    assertEquals(Optional.of(new Membership.NoJob()), rig.jobs().membershipOf(process.ref()));
  }

  @Test
  void aSilentDaemonHangsNobody() {
    askedAbout().be("silent");
    var failed = assertInstanceOf(AdoptResult.Failed.class, adopt(rig.sleeper()));
    assertTrue(failed.reason().contains("500 ms"), failed.reason());
    // The thread that follows the spool may have asked it, too.
    assertTrue(rig.jobs().counts().silent.sum() >= 1);
  }

  @Test
  void aPrologWaitsForNoDaemonOfOtherJobs() {
    for (long job = 51; job <= 54; job++) {
      rig.starting(job).be("silent");
    }
    Duration longest = Duration.ZERO;
    for (long job = 61; job <= 66; job++) {
      long asked = rig.jobs().counts().silent.sum();
      SlurmRig.await("a daemon is silent", () -> rig.jobs().counts().silent.sum() > asked);
      long start = System.nanoTime();
      var spec =
          new JobSpec(
              new JobId(job), SlurmRig.ALICE, SlurmRig.ALICE, Instant.now(), Allocation.NONE);
      assertInstanceOf(BeginResult.Begun.class, rig.jobs().begin(spec));
      Duration took = Duration.ofNanos(System.nanoTime() - start);
      longest = took.compareTo(longest) > 0 ? took : longest;
    }
    assertTrue(longest.compareTo(Duration.ofMillis(700)) < 0, longest::toString);
  }

  /** Of a job that ends, at each look: it may have a million processes. */
  @Test
  void aProcessIsSeenWithoutAnythingReadOfIt() throws IOException {
    Daemon daemon = rig.extern(42);
    assertInstanceOf(AdoptResult.Adopted.class, adopt(rig.sleeper()));
    var cgroups = new SlurmCgroups(CgroupMounts.read(Path.of("/proc")));
    var placed =
        assertInstanceOf(
            Placement.Placed.class,
            SlurmLayout.of(rig.cgroups(daemon.pid()), EXTERN, SlurmRig.ALICE));
    cgroups.learn(new JobId(42), placed);
    var processes = new SlurmProcesses(cgroups, new Proc(Path.of("/nonexistent")));
    assertTrue(processes.any(new JobId(42)));
    assertFalse(processes.any(new JobId(43)));
  }

  @Test
  void theFallbackMovesByHandAndIsCounted() throws IOException {
    Daemon daemon = askedAbout();
    rig.reopen(true);
    rig.awaitState(42, JobState.OPEN);
    daemon.be("silent");
    Pidfd process = rig.sleeper();
    assertEquals(EXTERN, assertInstanceOf(AdoptResult.Adopted.class, adopt(process)).step());
    assertEquals(1, rig.jobs().counts().byWriting.sum());
    assertEquals(0, rig.jobs().counts().byRequest.sum());
  }

  @Test
  void whatSlurmsCgroupsCountIsTheUsageOfJobAndStep() throws IOException {
    rig.extern(42);
    rig.awaitState(42, JobState.OPEN);
    assertInstanceOf(AdoptResult.Adopted.class, adopt(rig.sleeper()));
    List<UsageRecord> usage = rig.jobs().usage(new JobId(42));
    assertEquals(
        List.of(UsageRecord.Kind.JOB, UsageRecord.Kind.STEP),
        usage.stream().map(UsageRecord::kind).toList());
    assertEquals(Optional.of(StepId.EXTERN), usage.getLast().step());
    assertTrue(usage.getFirst().usage().processesNow().orElse(1) > 0, usage::toString);
    assertEquals(List.of(), rig.jobs().usage(new JobId(43)));
    List<Optional<StepId>> measured = new ArrayList<>();
    rig.jobs()
        .measure(
            rig.jobs().list().getFirst(), MeasureDepth.SESSIONS, each -> measured.add(each.step()));
    assertEquals(List.of(Optional.empty(), Optional.of(StepId.EXTERN)), measured);
  }

  /** When the job's own daemon has ended its cgroups are gone, and with them what they counted. */
  @Test
  void whatAJobUsedCanBeReadAsItsLastStepEnds() throws IOException {
    List<Long> processes = Collections.synchronizedList(new ArrayList<>());
    Daemon daemon = rig.extern(42);
    rig.jobs()
        .listen(
            new Jobs.Listener() {
              @Override
              public void changed(Job job) {}

              @Override
              public void mayEnd(Job job) {
                rig.jobs()
                    .measure(job, MeasureDepth.JOBS, each -> processes.add(each.job().number()));
              }
            });
    Path script = Files.createFile(rig.spool.resolve("n1_42.4294967291"));
    SlurmRig.await("its begin is a change", () -> processes.equals(List.of(42L)));
    Files.delete(script);
    SlurmRig.await("and its end", () -> processes.equals(List.of(42L, 42L)));
    daemon.end();
    rig.awaitGone(42);
  }

  @Test
  void anUnknownLayoutIsADiagnosisAndNoGuessUntilTheJobEnds() throws IOException {
    Daemon daemon = rig.misplaced(42);
    daemon.be("state 2");
    SlurmRig.await("it is noticed", () -> rig.jobs().counts().unknownLayouts.get() == 1);
    String said = rig.jobs().trouble().orElseThrow();
    assertTrue(said.contains("which have no known layout"), said);
    rig.awaitState(42, JobState.BEGINNING);
    assertInstanceOf(AdoptResult.NotOpen.class, adopt(rig.sleeper()));
    daemon.end();
    SlurmRig.await("it is over", () -> rig.jobs().counts().unknownLayouts.get() == 0);
  }

  @Test
  void socketsOfAnotherNodeAreNotThisNodesJobs() {
    rig.write(rig.spool.resolve("n2_42.4294967292"), "");
    SlurmRig.await("it is noticed", () -> rig.jobs().counts().foreignSockets.get() == 1);
    assertEquals(List.of(), rig.jobs().list());
  }

  @Test
  void aStaleSocketIsNoJob() {
    Path stale = rig.socket(42);
    rig.write(stale, "");
    Daemon other = rig.extern(43);
    assertEquals(Optional.empty(), rig.state(42));
    assertEquals(43, other.job);
  }

  @Test
  void aSpoolDirectoryThatComesLaterIsFound() throws IOException {
    Files.delete(rig.spool);
    rig.reopen(false);
    assertEquals(List.of(), rig.jobs().list());
    var unknown = Optional.of("Slurm's spool directory " + rig.spool + " is no directory");
    assertEquals(unknown, rig.jobs().unknownBecause());
    assertEquals(unknown, rig.jobs().trouble());
    assertEquals(1, rig.jobs().counts().spoolUnreadable.get());
    var told = new AtomicInteger();
    rig.jobs()
        .listen(
            new Jobs.Listener() {
              @Override
              public void changed(Job job) {}

              @Override
              public void knownOrNot() {
                told.incrementAndGet();
              }
            });
    Files.createDirectory(rig.spool);
    rig.extern(42);
    assertInstanceOf(AdoptResult.Adopted.class, adopt(rig.sleeper()));
    assertEquals(Optional.empty(), rig.jobs().unknownBecause());
    assertEquals(1, told.get());
    assertEquals(0, rig.jobs().counts().spoolUnreadable.get());
  }

  /** All of the machine's cgroups are searched, also those of tests in another JVM. */
  @Test
  void cgroupsAndProcessesOfAJobAreListedUntilTheyAreGone() throws IOException {
    int number = 1_000_000 + (int) ProcessHandle.current().pid();
    var job = new JobId(number);
    Daemon daemon = rig.extern(number);
    List<Leftover> left = rig.jobs().leftovers(job);
    assertEquals(new Leftover(Leftover.Kind.JOB, "job " + number + " is OPEN"), left.getFirst());
    assertTrue(
        left.contains(new Leftover(Leftover.Kind.PROCESS, daemon.pid() + " (java)")),
        left.toString());
    assertTrue(left.stream().anyMatch(each -> each.kind() == Leftover.Kind.CGROUP));
    assertEquals(List.of(), rig.jobs().leftovers(new JobId(4)));
    daemon.end();
    SlurmRig.await("the job is over", () -> rig.state(number).isEmpty());
    assertEquals(List.of(), rig.jobs().leftovers(job));
  }

  @Test
  void whatIsSlurmsIsRefusedByName() {
    Daemon daemon = rig.extern(42);
    List<String> said =
        List.of(
            assertInstanceOf(StateResult.Refused.class, rig.jobs().suspend(JOB)).reason(),
            assertInstanceOf(StateResult.Refused.class, rig.jobs().resume(JOB)).reason(),
            assertInstanceOf(StepResult.Refused.class, rig.jobs().beginStep(JOB, Optional.empty()))
                .reason(),
            assertInstanceOf(
                    LimitResult.Refused.class, rig.jobs().limit(JOB, Optional.empty(), Limits.NONE))
                .reason(),
            assertInstanceOf(
                    LimitResult.Refused.class,
                    rig.jobs().devices(JOB, Optional.empty(), DeviceRules.OPEN))
                .reason(),
            assertInstanceOf(EndResult.Unclean.class, rig.jobs().end(JOB, WAIT)).reason());
    for (String each : said) {
      assertTrue(each.startsWith("Slurm owns the jobs of this node: "), each);
      assertTrue(each.contains("42"), each);
    }
    assertTrue(ProcessHandle.of(daemon.pid()).isPresent());
    assertFalse(rig.jobs().list().isEmpty());
    assertEquals(new StateResult.NoSuchJob(), rig.jobs().suspend(new JobId(7)));
    assertEquals(
        new LimitResult.NotHere(), rig.jobs().limit(new JobId(7), Optional.empty(), Limits.NONE));
  }

  @Test
  void aJobWithoutAContainerHasNoNamespaces() throws IOException {
    rig.extern(42);
    try (var namespaces = rig.jobs().namespaces(JOB)) {
      assertEquals(List.of(), namespaces.inOrder());
    }
  }

  /** Releases before 25.11 have no others. */
  @Test
  void aSessionIsHandedTheNamespacesThatTheDaemonPasses() throws IOException {
    open("namespaces /proc/self/ns/pid /proc/self/ns/mnt");
    try (var namespaces = rig.jobs().namespaces(JOB)) {
      assertEquals(
          rig.kind == SlurmRig.Kind.V1_22_05
              ? List.of(NamespaceType.MOUNT)
              : List.of(NamespaceType.PID, NamespaceType.MOUNT),
          namespaces.inOrder().stream().map(JobNamespaces.Namespace::kind).toList());
    }
  }

  @Test
  void aJobWithAUserNamespaceIsClosedToSessions() throws IOException {
    open("namespaces /proc/self/ns/pid /proc/self/ns/user /proc/self/ns/mnt");
    try (var namespaces = rig.jobs().namespaces(JOB)) {
      if (rig.kind == SlurmRig.Kind.V1_22_05) {
        assertEquals(1, namespaces.inOrder().size());
        return;
      }
      assertEquals(
          "has a user namespace of Slurm's, which sessions do not enter (docs/slurm.md)",
          assertInstanceOf(JobNamespaces.Closed.class, namespaces).why());
      assertEquals(List.of(), namespaces.inOrder());
    }
  }
}
