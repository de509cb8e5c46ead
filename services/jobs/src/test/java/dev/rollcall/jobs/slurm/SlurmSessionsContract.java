package dev.rollcall.jobs.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.slurm.SlurmRig.Daemon;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.linux.mount.Mount;
import dev.rollcall.linux.mount.MountFlag;
import dev.rollcall.linux.mount.MountPoints;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobLabel;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.Jobs.JobSpec;
import dev.rollcall.port.JoinedSession;
import dev.rollcall.port.SessionPlace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sessions that move themselves into a job of Slurm's, whatever its release and its cgroups. */
@Tag("root")
abstract class SlurmSessionsContract {
  private static final JobId JOB = new JobId(42);
  private static final JobStep EXTERN = new JobStep(JOB, StepId.EXTERN);

  private final SlurmRig rig;

  SlurmSessionsContract(SlurmRig.Kind kind) {
    rig = new SlurmRig(kind);
  }

  @AfterEach
  void leaveNothing() {
    rig.close();
  }

  private Optional<SessionPlace> place() {
    return rig.jobs().sessionPlace(JOB);
  }

  private boolean waitsForEnvironment() {
    return place().filter(it -> !it.environmentKnown()).isPresent();
  }

  private Map<String, String> environment() {
    return place().map(it -> it.setup().environment()).map(Map::copyOf).orElse(Map.of());
  }

  /** Keeps what a listener sees of the job's sessions as it is told of a change. */
  private final class Seen {
    private volatile Optional<SessionPlace> last = Optional.empty();

    Seen() {
      rig.jobs().listen(job -> last = rig.jobs().sessionPlace(job.id()));
    }

    boolean isUpToDate() {
      return last.equals(place());
    }
  }

  /** As the PAM module does. */
  private static JoinedSession move(Pidfd process, JobId job, SessionPlace place) {
    SessionPlace.Cgroup first = place.cgroups().getFirst();
    for (SessionPlace.Cgroup each : place.cgroups()) {
      enter(process, new CgroupDirectory(each.directory()));
    }
    return joined(process.ref(), job, first.hierarchy(), first.path());
  }

  private static void enter(Pidfd process, CgroupDirectory directory) {
    try {
      directory.add(process.ref().pid());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static JoinedSession joined(
      ProcessRef process, JobId job, String hierarchy, String path) {
    return new JoinedSession(job, process, hierarchy, path, Instant.now());
  }

  @Test
  void aSessionsPlaceIsThatOfAnAdoptedProcess() {
    rig.extern(42);
    SessionPlace place = place().orElseThrow();
    Pidfd process = rig.sleeper();
    var adopted = assertInstanceOf(AdoptResult.Adopted.class, rig.adopt(process, JOB));
    ProcessCgroups its = rig.cgroups(process.ref().pid());
    for (SessionPlace.Cgroup each : place.cgroups()) {
      assertEquals(Optional.of(each.path()), its.in(each.hierarchy()));
      assertTrue(Files.isDirectory(each.directory()), each::toString);
      assertFalse(each.ownLeaf(), each::toString);
    }
    assertEquals(adopted.hierarchy(), place.cgroups().getFirst().hierarchy());
    assertEquals(adopted.cgroup(), place.cgroups().getFirst().path());
    assertEquals(adopted.setup(), place.setup());
    assertEquals(Optional.empty(), rig.jobs().sessionPlace(new JobId(43)));
  }

  @Test
  void onlyAnOpenJobHasAPlaceForSessions() throws IOException {
    Seen seen = new Seen();
    Daemon daemon = rig.starting(42);
    rig.awaitState(42, JobState.BEGINNING);
    assertEquals(Optional.empty(), place());
    daemon.be("state 2");
    rig.awaitState(42, JobState.OPEN);
    assertTrue(place().isPresent());
    rig.freeze(42, true);
    rig.awaitState(42, JobState.SUSPENDED);
    assertEquals(Optional.empty(), place());
    rig.freeze(42, false);
    rig.awaitState(42, JobState.OPEN);
    SlurmRig.await("it is told of", () -> place().isPresent() && seen.isUpToDate());
    daemon.end();
    rig.awaitGone(42);
    SlurmRig.await("it is told of", () -> place().isEmpty() && seen.isUpToDate());
  }

  @Test
  void aJobWithADisplayIsAskedAbout() {
    Daemon daemon = rig.starting(42);
    daemon.be("display 11");
    daemon.be("state 2");
    rig.awaitState(42, JobState.OPEN);
    assertEquals(Optional.empty(), place());
    var adopted = assertInstanceOf(AdoptResult.Adopted.class, rig.adopt(rig.sleeper(), JOB));
    assertEquals("localhost:11.0", adopted.setup().display().get("DISPLAY"));
  }

  private void startScript(List<String> variables) {
    rig.write(rig.spool.resolve("n1_42.4294967291"), "");
    SlurmRig.await("a login waits for it", this::waitsForEnvironment);
    rig.task(42, "batch", variables);
  }

  @Test
  void theEnvironmentOfABatchScriptIsThereBeforeALoginNeedsIt() {
    rig.extern(42);
    Seen seen = new Seen();
    assertEquals(Map.of("SLURM_JOB_ID", "42"), environment());
    var variables = new ArrayList<>(List.of("SLURM_JOB_ID=42", "SLURM_JOB_NAME=x", "HOME=/"));
    variables.addAll(List.of("SLURM_ARRAY_JOB_ID=41", "SLURM_ARRAY_TASK_ID=2"));
    startScript(variables);
    SlurmRig.await("it is told of", () -> environment().size() == 4 && seen.isUpToDate());
    assertEquals(new JobLabel("41_2", "x"), rig.jobs().list().getFirst().label());
  }

  /** A step on the second node of a job; srun names the nodes of the step as those of the job. */
  @Test
  void theEnvironmentOfAStepIsNotThatOfTheJob() {
    rig.extern(42);
    rig.write(rig.spool.resolve("n1_42.0"), "");
    rig.task(42, "0", List.of("SLURM_JOB_ID=42", "SLURM_JOB_NODELIST=n1", "SLURM_NTASKS=1"));
    var adopted = assertInstanceOf(AdoptResult.Adopted.class, rig.adopt(rig.sleeper(), JOB));
    assertEquals(Map.of("SLURM_JOB_ID", "42"), Map.copyOf(adopted.setup().environment()));
    assertFalse(waitsForEnvironment());
    assertEquals(Map.of("SLURM_JOB_ID", "42"), environment());
    startScript(List.of("SLURM_JOB_ID=42", "SLURM_JOB_NODELIST=n[1-2]"));
    SlurmRig.await(
        "that of the script is told of",
        () -> "n[1-2]".equals(environment().get("SLURM_JOB_NODELIST")));
  }

  @Test
  void ofABatchScriptWithThousandsOfVariablesABoundedNumberIsKept() {
    rig.extern(42);
    List<String> variables = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      variables.add("SLURM_A" + i + "=");
    }
    variables.add("SLURM_JOB_ID=42");
    startScript(variables);
    SlurmRig.await("they are read", () -> environment().size() > 1);
    assertEquals(TaskVariables.MOST + 2, environment().size());
  }

  @Test
  void whileABatchScriptHasNoEnvironmentALoginLooksForIt() {
    rig.extern(42);
    startScript(List.of("OTHER=1"));
    var adopted = assertInstanceOf(AdoptResult.Adopted.class, rig.adopt(rig.sleeper(), JOB));
    assertEquals(Map.of("SLURM_JOB_ID", "42"), Map.copyOf(adopted.setup().environment()));
    assertTrue(waitsForEnvironment());
  }

  @Test
  void whatAPrologSaysLaterIsTold() {
    rig.extern(42);
    Seen seen = new Seen();
    var allocation =
        new Allocation(
            Limits.NONE, DeviceRules.OPEN, Map.of("CUDA_VISIBLE_DEVICES", "3"), List.of());
    Instant start = rig.jobs().list().getFirst().startedAt();
    rig.jobs().begin(new JobSpec(JOB, SlurmRig.ALICE, SlurmRig.ALICE + 1, start, allocation));
    assertEquals("3", environment().get("CUDA_VISIBLE_DEVICES"));
    assertTrue(seen.isUpToDate());
  }

  @Test
  void aJobHasARuntimeDirectoryOfItsOwnUntilItEnds() throws IOException {
    Path all = rig.reopenWithRuntimeDirectories();
    Path of42 = all.resolve("42");
    rig.jobs()
        .begin(
            new JobSpec(JOB, SlurmRig.ALICE, SlurmRig.ALICE + 1, Instant.now(), Allocation.NONE));
    assertTrue(Files.isDirectory(of42), "it is there for tasks before the prolog returns");
    var daemon = rig.extern(42);
    SlurmRig.await("sessions have a place", () -> place().isPresent());
    assertEquals(
        Map.of("XDG_RUNTIME_DIR", of42.toString()),
        place().orElseThrow().container().environment());
    try (var namespaces = rig.jobs().namespaces(JOB)) {
      assertEquals(Map.of("XDG_RUNTIME_DIR", of42.toString()), namespaces.environment());
    }
    assertEquals(
        List.of(SlurmRig.ALICE, SlurmRig.ALICE + 1, "rwx------", "tmpfs"),
        List.of(
            Files.getAttribute(of42, "unix:uid"),
            Files.getAttribute(of42, "unix:gid"),
            PosixFilePermissions.toString(Files.getPosixFilePermissions(of42)),
            Files.getFileStore(of42).type()));
    Files.createDirectories(of42.resolve("a/b"));
    Files.createSymbolicLink(of42.resolve("out"), rig.state);
    Files.createDirectory(all.resolve("41"));
    rig.reopen(false);
    SlurmRig.await("the next agent has it too", () -> place().isPresent());
    assertEquals(
        Map.of("XDG_RUNTIME_DIR", of42.toString()),
        place().orElseThrow().container().environment());
    assertTrue(Files.isDirectory(of42.resolve("a/b")));
    SlurmRig.await("that of no job is removed", () -> namesIn(all).equals(List.of("42")));
    daemon.end();
    rig.awaitGone(42);
    SlurmRig.await("it ends with the job", () -> namesIn(all).isEmpty());
    assertTrue(Files.isDirectory(rig.spool), "what a link names stays");
  }

  /** No prolog reported the job: whether it is here is not known then. */
  @Test
  void aRuntimeDirectoryStaysIfAnAgentStartsWithoutTheSpoolDirectory() throws IOException {
    Path all = rig.reopenWithRuntimeDirectories();
    rig.extern(42);
    SlurmRig.await("sessions have a place", () -> place().isPresent());
    Path file = Files.createFile(all.resolve("42/file"));
    Path aside = Files.move(rig.spool, rig.state.resolve("aside"));
    rig.reopen(false);
    Files.move(aside, rig.spool);
    SlurmRig.await("sessions have a place again", () -> place().isPresent());
    assertTrue(Files.exists(file));
    assertEquals(List.of("42"), namesIn(all));
  }

  /** They are on one file system: its bound would be that of all jobs together. */
  @Test
  void theFilesOfOneJobAreNotCountedAgainstTheDirectoriesOfOthers() throws IOException {
    Path all = rig.reopenWithRuntimeDirectories();
    List<String> mounts =
        Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
            .filter(line -> line.contains(" " + all + " "))
            .toList();
    assertEquals(1, mounts.size(), mounts.toString());
    assertTrue(mounts.getFirst().contains(",nr_inodes=0,"), mounts.getFirst());
  }

  /** It may be a FUSE file system that does not answer, with another owner. */
  @Test
  void aMountOverTheRuntimeDirectoryStaysWithTheJobAndGoesWithIt() throws IOException {
    Path all = rig.reopenWithRuntimeDirectories();
    Path of42 = all.resolve("42");
    rig.jobs()
        .begin(
            new JobSpec(JOB, SlurmRig.ALICE, SlurmRig.ALICE + 1, Instant.now(), Allocation.NONE));
    var daemon = rig.extern(42);
    SlurmRig.await("sessions have a place", () -> place().isPresent());
    Mount.tmpfs(of42, EnumSet.of(MountFlag.NOSUID, MountFlag.NODEV), "mode=0700");
    rig.reopen(false);
    SlurmRig.await("the next agent has it too", () -> place().isPresent());
    assertEquals(
        Map.of("XDG_RUNTIME_DIR", of42.toString()),
        place().orElseThrow().container().environment());
    assertTrue(MountPoints.has(of42));
    daemon.end();
    rig.awaitGone(42);
    SlurmRig.await("it ends with the job", () -> namesIn(all).isEmpty());
  }

  /** Its user's programs mount there (gvfs, the document portal), and files may be under that. */
  @Test
  void aMountInTheRuntimeDirectoryGoesWithTheJob() throws IOException {
    Path all = rig.reopenWithRuntimeDirectories();
    var daemon = rig.extern(42);
    SlurmRig.await("sessions have a place", () -> place().isPresent());
    Path at = Files.createDirectories(all.resolve("42/a/doc"));
    Files.writeString(at.resolve("hidden"), "under the mount");
    Mount.tmpfs(at, EnumSet.of(MountFlag.NOSUID, MountFlag.NODEV), "");
    daemon.end();
    rig.awaitGone(42);
    SlurmRig.await("it ends with the job", () -> namesIn(all).isEmpty());
    assertEquals(Set.of(all), MountPoints.below(all).keySet());
  }

  @Test
  void aRuntimeDirectoryThatCouldNotBeRemovedIsRemovedLater() throws IOException {
    Path all = rig.reopenWithRuntimeDirectories();
    Files.createDirectory(all.resolve("41"));
    rig.extern(42);
    SlurmRig.await("sessions have a place", () -> place().isPresent());
    rig.jobs().reap();
    SlurmRig.await("only the job's is left", () -> namesIn(all).equals(List.of("42")));
  }

  /** With those that were moved aside to be removed. */
  private static List<String> namesIn(Path directory) {
    try (var files = Files.list(directory);
        var aside = Files.list(directory.resolve(".removed"))) {
      return Stream.concat(files, aside)
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.equals(".removed"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The report is the same on each node; a user can change the environment of a script. */
  @Test
  void aPrologsVariablesAreKeptAndABatchScriptAddsOthers() throws IOException {
    rig.extern(42);
    var told =
        Map.of(
            "SLURM_JOB_ID",
            "41",
            "SLURM_JOB_PARTITION",
            "long",
            "CUDA_VISIBLE_DEVICES",
            "0,1",
            "LICENSE",
            "one");
    var allocation = new Allocation(Limits.NONE, DeviceRules.OPEN, told, List.of());
    Instant start = rig.jobs().list().getFirst().startedAt();
    rig.jobs().begin(new JobSpec(JOB, SlurmRig.ALICE, SlurmRig.ALICE + 1, start, allocation));
    var expected = new TreeMap<>(told);
    expected.put("SLURM_JOB_ID", "42");
    assertEquals(expected, environment());
    rig.reopen(false);
    SlurmRig.await("it is told of", () -> environment().equals(expected));
    startScript(
        List.of("SLURM_JOB_ID=42", "CUDA_VISIBLE_DEVICES=1", "SLURM_SUBMIT_DIR=/home", "HOME=/"));
    expected.put("SLURM_SUBMIT_DIR", "/home");
    SlurmRig.await("the script's are told", () -> environment().equals(expected));
  }

  @Test
  void theStepDaemonIsToldOnceOfASessionThatMovedItself() {
    rig.extern(42);
    Pidfd process = rig.sleeper();
    JoinedSession session = move(process, JOB, place().orElseThrow());
    assertEquals(Optional.of(EXTERN), rig.jobs().joined(session));
    assertEquals(Optional.of(EXTERN), rig.jobs().joined(session));
    assertEquals(1, rig.jobs().counts().reported.sum());
    assertEquals(0, rig.jobs().counts().byRequest.sum());
    assertEquals(Optional.of(new Membership.InJob(EXTERN)), rig.jobs().membershipOf(process.ref()));
    assertTrue(process.alive());
  }

  /** The PAM module has moved it, and could not append the record of that. */
  @Test
  void anUnrecordedSessionThatMovedItselfIsReportedWhenItAsks() {
    rig.extern(42);
    Pidfd process = rig.sleeper();
    JoinedSession session = move(process, JOB, place().orElseThrow());
    assertInstanceOf(AdoptResult.Adopted.class, rig.adopt(process, JOB));
    assertEquals(1, rig.jobs().counts().reported.sum());
    assertInstanceOf(AdoptResult.Adopted.class, rig.adopt(process, JOB));
    assertEquals(Optional.of(EXTERN), rig.jobs().joined(session));
    assertEquals(1, rig.jobs().counts().reported.sum());
    assertEquals(0, rig.jobs().counts().byRequest.sum());
  }

  @Test
  void aSessionThatHasEndedIsInItsStepAllTheSame() {
    rig.extern(42);
    Pidfd process = rig.sleeper();
    JoinedSession session = move(process, JOB, place().orElseThrow());
    ProcessHandle.of(process.ref().pid()).orElseThrow().destroyForcibly();
    SlurmRig.await("it ended", () -> !process.alive());
    assertEquals(Optional.of(EXTERN), rig.jobs().joined(session));
    assertEquals(0, rig.jobs().counts().reported.sum());
    assertEquals(0, rig.jobs().counts().unreported.sum());
  }

  @Test
  void aCgroupOfNoneOfTheJobsSessionsIsRefused() {
    rig.extern(42);
    rig.extern(43);
    Pidfd process = rig.sleeper();
    JoinedSession session = move(process, JOB, place().orElseThrow());
    String path = session.cgroup();
    ProcessRef ref = process.ref();
    for (JoinedSession wrong :
        List.of(
            joined(ref, new JobId(43), session.hierarchy(), path),
            joined(ref, new JobId(44), session.hierarchy(), path),
            joined(ref, JOB, session.hierarchy(), "/"),
            joined(ref, JOB, "cpuset", path),
            joined(ref, JOB, session.hierarchy(), path.replace("step_extern", "step_0")))) {
      assertEquals(Optional.empty(), rig.jobs().joined(wrong), wrong::toString);
    }
    assertTrue(process.alive());
    assertEquals(0, rig.jobs().counts().reported.sum());
  }

  @Test
  void aSessionThatWasMovedOnIsLeftAlone() {
    rig.extern(42);
    rig.extern(43);
    Pidfd process = rig.sleeper();
    JoinedSession session = move(process, JOB, place().orElseThrow());
    assertInstanceOf(AdoptResult.Adopted.class, rig.adopt(process, new JobId(43)));
    assertEquals(Optional.of(EXTERN), rig.jobs().joined(session));
    assertEquals(0, rig.jobs().counts().reported.sum());
    assertEquals(
        Optional.of(new Membership.InJob(new JobStep(new JobId(43), StepId.EXTERN))),
        rig.jobs().membershipOf(process.ref()));
  }

  private void isKilled(JoinedSession session, Pidfd process) {
    assertTrue(process.alive());
    assertEquals(Optional.of(EXTERN), rig.jobs().joined(session));
    SlurmRig.await("it is killed", () -> !process.alive());
    assertEquals(1, rig.jobs().counts().ended.sum());
    assertEquals(0, rig.jobs().counts().reported.sum());
  }

  @Test
  void aSessionThatCameAsTheStepEndedIsKilled() {
    Daemon daemon = rig.extern(42);
    Pidfd process = rig.sleeper();
    JoinedSession session = move(process, JOB, place().orElseThrow());
    daemon.be("state 3");
    isKilled(session, process);
    assertEquals(Optional.of(JobState.CLOSING), rig.state(42));
  }

  @Test
  void aSessionWhoseDaemonIsGoneIsKilledAndTheNextOneIsAskedAbout() {
    Seen seen = new Seen();
    Daemon daemon = rig.extern(42);
    Pidfd process = rig.sleeper();
    JoinedSession session = move(process, JOB, place().orElseThrow());
    daemon.kill();
    isKilled(session, process);
    assertEquals(Optional.empty(), place());
    assertTrue(seen.isUpToDate());
  }

  /** The agent was away as the job ended, and Slurm could not remove its cgroups. */
  @Test
  void aSessionOfAJobThatNobodyKnowsAnyMoreIsKilled() {
    List<CgroupDirectory> left = rig.left(42);
    Pidfd process = rig.sleeper();
    left.forEach(directory -> enter(process, directory));
    String hierarchy = rig.kind == SlurmRig.Kind.V2_26_05 ? "" : "freezer";
    String path = rig.cgroups(process.ref().pid()).in(hierarchy).orElseThrow();
    isKilled(joined(process.ref(), JOB, hierarchy, path), process);
  }

  @Test
  void aSilentDaemonIsCountedAndEndsNoSession() {
    Daemon daemon = rig.extern(42);
    Pidfd process = rig.sleeper();
    JoinedSession session = move(process, JOB, place().orElseThrow());
    daemon.be("silent");
    assertEquals(Optional.of(EXTERN), rig.jobs().joined(session));
    assertEquals(1, rig.jobs().counts().unreported.sum());
    assertTrue(process.alive());
  }

  /** The PAM module has looked, Slurm freezes the job, and the module moves. */
  @Test
  void aLoginThatEntersAFrozenJobIsEnded() {
    rig.extern(42);
    SessionPlace place = place().orElseThrow();
    rig.freeze(42, true);
    rig.awaitState(42, JobState.SUSPENDED);
    Pidfd login = SlurmRig.pinned(rig.sshd());
    move(login, JOB, place);
    SlurmRig.await("it is ended", () -> !login.alive());
    SlurmRig.await("it is counted", () -> rig.jobs().counts().frozenLogins.sum() == 1);
    rig.freeze(42, false);
  }

  @Test
  void aLoginThatIsFrozenBeforeItIsASessionIsEndedAndSessionsStay() {
    rig.extern(42);
    SessionPlace place = place().orElseThrow();
    Process sshd = rig.sshd();
    Pidfd session = SlurmRig.pinned(sshd);
    Pidfd slurms = rig.sleeper();
    Pidfd login = SlurmRig.pinned(rig.sshd());
    List.of(session, slurms, login).forEach(process -> move(process, JOB, place));
    SlurmRig.becomeSession(sshd);
    assertTrue(login.alive());
    rig.freeze(42, true);
    SlurmRig.await("it is ended", () -> !login.alive());
    rig.jobs().reap();
    assertTrue(session.alive(), "the session waits with its job");
    assertTrue(slurms.alive(), "and so does what is Slurm's own");
    SlurmRig.await("it is counted", () -> rig.jobs().counts().frozenLogins.sum() == 1);
    rig.freeze(42, false);
  }
}
