package dev.rollcall.testkit.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.CgroupIds;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobLabel;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.Membership.InJob;
import dev.rollcall.model.Membership.NoJob;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.model.allocation.Rlimit;
import dev.rollcall.model.allocation.SessionSetup;
import dev.rollcall.model.usage.UsageRecord;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.Jobs.AdoptResult.Adopted;
import dev.rollcall.port.Jobs.BeginResult;
import dev.rollcall.port.Jobs.EndOrder;
import dev.rollcall.port.Jobs.EndResult;
import dev.rollcall.port.Jobs.From;
import dev.rollcall.port.Jobs.JobSpec;
import dev.rollcall.port.Jobs.LimitResult;
import dev.rollcall.port.Jobs.StateResult;
import dev.rollcall.port.Jobs.StepResult;
import dev.rollcall.port.JoinedSession;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.port.SessionPlace;
import dev.rollcall.testkit.process.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests the behaviour that every provider of jobs has. */
public abstract class JobsContract extends JobsUsageContract {
  private static final long GIB = 1L << 30;
  private static final int BOB = 1002;

  /** As the PAM module does: makes the leaf below each of the place's cgroups, and enters it. */
  protected abstract void moveItself(PinnedProcess process, SessionPlace place, String leaf);

  @Test
  void aJobThatBeginsIsOpenAndListed() {
    Job expected = new Job(JOB, ALICE, ALICE, NOON, JobState.OPEN);
    assertEquals(expected, begin(JOB));
    assertEquals(List.of(expected), jobs().list());
  }

  @Test
  void aJobHasTheLabelThatItsVariablesGive() {
    Map<String, String> variables = Map.of(JobLabel.BATCH_ID, "901[3]", "SLURM_JOB_NAME", "train");
    jobs().begin(new JobSpec(JOB, ALICE, ALICE, NOON, Allocation.NONE.with(variables, Map.of())));
    assertEquals(new JobLabel("901[3]", "train"), jobs().list().getFirst().label());
  }

  @Test
  void beginningTwiceIsTheSameJobAsItFirstBegan() {
    Job first = begin(JOB);
    BeginResult again = jobs().begin(spec(JOB, ALICE, NOON.plusSeconds(60)));
    assertEquals(new BeginResult.Begun(first), again);
    assertEquals(List.of(first), jobs().list());
  }

  @Test
  void anotherOwnerOfTheSameJobIsRefusedNamingBoth() {
    Job first = begin(JOB);
    BeginResult.Refused refused =
        assertInstanceOf(BeginResult.Refused.class, jobs().begin(spec(JOB, BOB, NOON)));
    assertTrue(refused.reason().contains("1001"), refused.reason());
    assertTrue(refused.reason().contains("1002"), refused.reason());
    assertEquals(List.of(first), jobs().list());
  }

  @Test
  void nothingIsGuessedOfAJobThatWasTold() {
    Job told = begin(JOB);
    assertEquals(Set.of(), jobs().guessed());
    BeginResult.Refused refused =
        assertInstanceOf(
            BeginResult.Refused.class,
            jobs().confirm(new JobSpec(JOB, ALICE, 77, NOON.plusSeconds(60))));
    assertTrue(refused.reason().contains("job 42"), refused.reason());
    assertEquals(List.of(told), jobs().list());
  }

  @Test
  void whatIsConfirmedOfAJobThatIsNotHereBeginsNone() {
    assertInstanceOf(BeginResult.Refused.class, jobs().confirm(spec(JOB, ALICE, NOON)));
    assertEquals(List.of(), jobs().list());
  }

  @Test
  void jobsAreListedByStartAndThenById() {
    jobs().begin(spec(new JobId(3), ALICE, NOON));
    jobs().begin(spec(new JobId(9), BOB, NOON.minusSeconds(1)));
    jobs().begin(spec(new JobId(2), ALICE, NOON));
    assertEquals(
        List.of(new JobId(9), new JobId(2), new JobId(3)),
        jobs().list().stream().map(Job::id).toList());
  }

  @Test
  void anAdoptedProcessIsInTheExternStepByEveryQuestion() {
    begin(JOB);
    PinnedProcess process = start();
    assertEquals(extern(JOB), adopt(process, JOB).step());
    Membership expected = new InJob(extern(JOB));
    assertEquals(Optional.of(expected), jobs().membershipOf(process.ref()));
    assertEquals(Optional.of(expected), jobs().membershipOf(cgroupsOf(process)));
    assertEquals(
        List.of(new JobProcess(process.ref(), StepId.EXTERN, "sleep")), jobs().processes(JOB));
  }

  @Test
  void aProcessThatIsInTheJobStaysWhereItIs() {
    begin(JOB);
    PinnedProcess process = start();
    Adopted first = adopt(process, JOB);
    assertEquals(first, adopt(process, JOB));
    StepResult.Made step =
        assertInstanceOf(StepResult.Made.class, jobs().beginStep(JOB, Optional.empty()));
    PinnedProcess task = start();
    enter(task, step);
    assertEquals(step.step(), adopt(task, JOB).step());
  }

  @Test
  void sessionsAndStepsGetWhatTheJobWasGiven() {
    var nofile = new Rlimit(Rlimit.Resource.NOFILE, 256, Rlimit.UNLIMITED);
    var allocation =
        new Allocation(Limits.NONE, DeviceRules.OPEN, Map.of("B", "2", "A", "1"), List.of(nofile));
    jobs().begin(new JobSpec(JOB, ALICE, 77, NOON, allocation));
    SessionSetup expected = SessionSetup.of(allocation, 77);
    assertEquals(List.of("A", "B"), List.copyOf(expected.environment().keySet()));
    PinnedProcess process = start();
    assertEquals(expected, adopt(process, JOB).setup());
    assertEquals(expected, adopt(process, JOB).setup());
    StepResult.Made step =
        assertInstanceOf(StepResult.Made.class, jobs().beginStep(JOB, Optional.empty()));
    assertEquals(expected, step.setup());
  }

  @Test
  void everySessionHasACgroupOfItsOwn() {
    begin(JOB);
    PinnedProcess first = start();
    PinnedProcess second = start();
    assertNotEquals(adopt(first, JOB).cgroup(), adopt(second, JOB).cgroup());
    assertNotEquals(cgroupsOf(first), cgroupsOf(second));
  }

  @Test
  void aSessionIsRightBelowItsJobsPlace() {
    begin(JOB);
    SessionPlace place = jobs().sessionPlace(JOB).orElseThrow();
    Adopted adopted = adopt(start(), JOB);
    SessionPlace.Cgroup first = place.cgroups().getFirst();
    assertEquals(adopted.hierarchy(), first.hierarchy());
    assertEquals(first.path(), adopted.cgroup().substring(0, adopted.cgroup().lastIndexOf('/')));
    assertEquals(adopted.setup(), place.setup());
    assertEquals(Optional.empty(), jobs().sessionPlace(new JobId(99)));
  }

  /** The number of a session that its process begins: it names that process. */
  private static long ownNumber(PinnedProcess process) {
    return (1L << 32) + (process.ref().startTime() << 22 | process.ref().pid());
  }

  /** A session that moved itself, as the module's record says. */
  private JoinedSession moved(PinnedProcess process) {
    SessionPlace place = jobs().sessionPlace(JOB).orElseThrow();
    String leaf = "session_" + ownNumber(process);
    moveItself(process, place, leaf);
    SessionPlace.Cgroup first = place.cgroups().getFirst();
    return joined(process, first.hierarchy(), first.path() + "/" + leaf);
  }

  private static JoinedSession joined(PinnedProcess process, String hierarchy, String cgroup) {
    return new JoinedSession(JOB, process.ref(), hierarchy, cgroup, NOON.plusSeconds(1));
  }

  @Test
  void aSessionThatMovedItselfIsInTheExternStepByEveryQuestion() {
    begin(JOB);
    PinnedProcess process = start();
    assertEquals(Optional.of(extern(JOB)), jobs().joined(moved(process)));
    Membership expected = new InJob(extern(JOB));
    assertEquals(Optional.of(expected), jobs().membershipOf(process.ref()));
    assertEquals(Optional.of(expected), jobs().membershipOf(cgroupsOf(process)));
    assertEquals(
        List.of(new JobProcess(process.ref(), StepId.EXTERN, "sleep")), jobs().processes(JOB));
    assertEquals(
        Optional.of(OptionalLong.of(ownNumber(process))),
        jobs().closing(process).flatMap(Jobs.ClosingSession::close).map(UsageRecord::session));
    assertEquals(new EndResult.Clean(1), jobs().end(JOB, WAIT));
    assertFalse(process.alive());
  }

  @Test
  void aSessionThatMovedItselfIsAccountedForWhenItIsOver() {
    begin(JOB);
    PinnedProcess process = start();
    List<OptionalLong> over = Collections.synchronizedList(new ArrayList<>());
    jobs()
        .listen(
            new Jobs.Listener() {
              @Override
              public void changed(Job job) {}

              @Override
              public void recorded(UsageRecord record) {
                over.add(record.session());
              }
            });
    jobs().joined(moved(process));
    assertEquals(List.of(new JobProcess(process.ref(), StepId.EXTERN, "sleep")), processes());
    assertEquals(List.of(), over);
    finish(process);
    assertEquals(List.of(), processes());
    // Whoever finds the end first tells it, and may be another thread.
    Eventually.await(Duration.ofSeconds(20), () -> !over.isEmpty(), () -> "no account");
    assertEquals(List.of(OptionalLong.of(ownNumber(process))), over);
  }

  private List<JobProcess> processes() {
    return jobs().processes(JOB);
  }

  @Test
  void theNumbersOfTheAgentsSessionsGoOnWhereTheyWere() {
    begin(JOB);
    assertTrue(adopt(start(), JOB).cgroup().endsWith("/session_1"));
    jobs().joined(moved(start()));
    assertTrue(adopt(start(), JOB).cgroup().endsWith("/session_2"));
  }

  @Test
  void aSessionThatIsOverBeforeItIsKnownWasStillInItsStep() {
    begin(JOB);
    PinnedProcess process = start();
    JoinedSession session = moved(process);
    finish(process);
    assertEquals(List.of(), processes());
    assertEquals(Optional.of(extern(JOB)), jobs().joined(session));
    assertEquals(new EndResult.Clean(0), jobs().end(JOB, WAIT));
    assertEquals(Optional.empty(), jobs().joined(session));
  }

  @Test
  void aCgroupThatIsNoSessionsOfTheJobIsNotJoined() {
    begin(JOB);
    JobId other = new JobId(43);
    begin(other);
    PinnedProcess process = start();
    SessionPlace.Cgroup place = jobs().sessionPlace(JOB).orElseThrow().cgroups().getFirst();
    String others = jobs().sessionPlace(other).orElseThrow().cgroups().getFirst().path();
    String hierarchy = place.hierarchy();
    List<JoinedSession> wrong =
        List.of(
            joined(process, hierarchy, place.path()),
            joined(process, hierarchy, place.path() + "/"),
            joined(process, hierarchy, place.path() + "/session_"),
            joined(process, hierarchy, place.path() + "/session_07"),
            joined(process, hierarchy, place.path() + "/session_7/below"),
            joined(process, hierarchy, place.path() + "/session_7 (deleted)"),
            joined(process, hierarchy, place.path() + "/task_0"),
            joined(process, hierarchy, place.path() + "/../user/session_7"),
            joined(process, hierarchy, others + "/session_7"),
            joined(process, "devices", place.path() + "/session_7"));
    for (JoinedSession session : wrong) {
      assertEquals(Optional.empty(), jobs().joined(session), session.toString());
    }
    assertEquals(List.of(), processes());
    assertEquals(List.of(), jobs().processes(other));
  }

  @Test
  void aProcessOfOneJobCanBeAdoptedByAnother() {
    JobId other = new JobId(43);
    begin(JOB);
    begin(other);
    PinnedProcess process = start();
    adopt(process, JOB);
    assertEquals(extern(other), adopt(process, other).step());
    assertEquals(List.of(), jobs().processes(JOB));
    assertEquals(Optional.of(new InJob(extern(other))), jobs().membershipOf(process.ref()));
  }

  @Test
  void aProcessThatMayComeFromOutsideAloneStaysInItsJob() {
    JobId other = new JobId(43);
    begin(JOB);
    begin(other);
    PinnedProcess process = start();
    assertInstanceOf(Adopted.class, jobs().adopt(process, JOB, ALICE, From.NO_JOB));
    Adopted again = assertInstanceOf(Adopted.class, jobs().adopt(process, JOB, ALICE, From.NO_JOB));
    assertEquals(extern(JOB), again.step(), "it is in that job already");
    assertEquals(
        new AdoptResult.Kept("process " + process.ref().pid() + " is in job 42"),
        jobs().adopt(process, other, ALICE, From.NO_JOB));
    assertEquals(Optional.of(new InJob(extern(JOB))), jobs().membershipOf(process.ref()));
  }

  @Test
  void nothingLeavesAJobThatIsSuspended() {
    JobId other = new JobId(43);
    begin(JOB);
    begin(other);
    PinnedProcess process = start();
    adopt(process, JOB);
    jobs().suspend(JOB);
    assertEquals(
        new AdoptResult.Kept(
            "process " + process.ref().pid() + " stays where it is: job 42 is suspended"),
        jobs().adopt(process, other, ALICE));
    assertEquals(Optional.of(new InJob(extern(JOB))), jobs().membershipOf(process.ref()));
  }

  @Test
  void aProcessThatHasEndedIsNotAdoptedAndIsNowhere() {
    begin(JOB);
    PinnedProcess process = start();
    finish(process);
    AdoptResult.Failed failed =
        assertInstanceOf(AdoptResult.Failed.class, jobs().adopt(process, JOB, ALICE));
    assertTrue(failed.reason().contains(Integer.toString(process.ref().pid())), failed.reason());
    assertEquals(Optional.empty(), jobs().membershipOf(process.ref()));
    assertEquals(List.of(), jobs().processes(JOB));
  }

  @Test
  void aJobThatIsNotHereAdoptsNobodyAndHasNobody() {
    PinnedProcess process = start();
    AdoptResult.NotOpen refused =
        assertInstanceOf(AdoptResult.NotOpen.class, jobs().adopt(process, JOB, ALICE));
    assertTrue(refused.reason().contains("42"), refused.reason());
    assertEquals(List.of(), jobs().processes(JOB));
    assertInstanceOf(StepResult.Refused.class, jobs().beginStep(JOB, Optional.empty()));
    assertEquals(new EndResult.NoSuchJob(), jobs().end(JOB, WAIT));
  }

  @Test
  void aProcessOutsideIsKnownToBeInNoJob() {
    begin(JOB);
    PinnedProcess process = start();
    assertEquals(Optional.of(new NoJob()), jobs().membershipOf(process.ref()));
    assertEquals(Optional.of(new NoJob()), jobs().membershipOf(cgroupsOf(process)));
    assertEquals(Optional.of(new NoJob()), jobs().membershipOf(new CgroupIds(0, 0)));
    ProcessRef later = new ProcessRef(process.ref().pid(), process.ref().startTime() + 1);
    assertEquals(Optional.empty(), jobs().membershipOf(later));
  }

  @Test
  void theEndOfAJobKillsItsProcessesAndNoOthers() {
    begin(JOB);
    PinnedProcess inside = start();
    PinnedProcess outside = start();
    adopt(inside, JOB);
    CgroupIds cgroups = cgroupsOf(inside);
    assertEquals(new EndResult.Clean(1), jobs().end(JOB, WAIT));
    assertFalse(inside.alive());
    assertTrue(outside.alive());
    assertEquals(List.of(), jobs().list());
    assertEquals(List.of(), jobs().processes(JOB));
    assertEquals(Optional.of(new NoJob()), jobs().membershipOf(cgroups));
    assertInstanceOf(AdoptResult.NotOpen.class, jobs().adopt(outside, JOB, ALICE));
    assertEquals(new EndResult.NoSuchJob(), jobs().end(JOB, WAIT));
  }

  @Test
  void theNumberOfAJobThatEndedMayBeginAgainForAnother() {
    begin(JOB);
    jobs().end(JOB, WAIT);
    Job expected = new Job(JOB, BOB, BOB, NOON, JobState.OPEN);
    assertEquals(new BeginResult.Begun(expected), jobs().begin(spec(JOB, BOB, NOON)));
  }

  @Test
  void aJobOfAnotherUserAdoptsNobody() {
    begin(JOB);
    PinnedProcess inside = start();
    adopt(inside, JOB);
    PinnedProcess outside = start();
    AdoptResult.NotOpen refused =
        new AdoptResult.NotOpen("uid " + BOB + " has no job 42 on this node");
    assertEquals(refused, jobs().adopt(outside, JOB, BOB));
    assertEquals(refused, jobs().adopt(outside, JOB, BOB, From.NO_JOB));
    assertEquals(refused, jobs().adopt(inside, JOB, BOB), "not even what is in it");
    assertEquals(Optional.of(new NoJob()), jobs().membershipOf(outside.ref()));
  }

  @Test
  void anEndWithGraceEndsWhoeverListens() {
    begin(JOB);
    PinnedProcess process = start();
    adopt(process, JOB);
    EndOrder order = new EndOrder("the end is near", Duration.ofSeconds(9), WAIT);
    assertEquals(new EndResult.Clean(1), jobs().end(JOB, order));
    assertFalse(process.alive());
    assertEquals(List.of(), jobs().list());
  }

  @Test
  void nothingEntersASuspendedJobUntilItIsResumed() {
    Job open = begin(JOB);
    PinnedProcess inside = start();
    adopt(inside, JOB);
    StateResult suspended = new StateResult.Reached(open.in(JobState.SUSPENDED));
    assertEquals(suspended, jobs().suspend(JOB));
    assertEquals(suspended, jobs().suspend(JOB), "and again");
    assertEquals(List.of(open.in(JobState.SUSPENDED)), jobs().list());
    AdoptResult.NotOpen refused = new AdoptResult.NotOpen("job 42 is suspended");
    PinnedProcess late = start();
    assertEquals(refused, jobs().adopt(late, JOB, ALICE));
    assertEquals(refused, jobs().adopt(inside, JOB, ALICE), "not even what is in it");
    assertEquals(Optional.of(new NoJob()), jobs().membershipOf(late.ref()));
    assertInstanceOf(StepResult.Refused.class, jobs().beginStep(JOB, Optional.empty()));
    assertEquals(new StateResult.Reached(open), jobs().resume(JOB));
    assertEquals(new StateResult.Reached(open), jobs().resume(JOB), "and again");
    adopt(late, JOB);
  }

  @Test
  void aSuspendedJobEnds() {
    begin(JOB);
    PinnedProcess process = start();
    adopt(process, JOB);
    jobs().suspend(JOB);
    assertEquals(new EndResult.Clean(1), jobs().end(JOB, WAIT));
    assertFalse(process.alive());
    assertEquals(new StateResult.NoSuchJob(), jobs().suspend(JOB));
    assertEquals(new StateResult.NoSuchJob(), jobs().resume(JOB));
  }

  @Test
  void stepsAreNumberedFromZeroBesideTheNamedOnes() {
    begin(JOB);
    for (String text : List.of("0", "1", "batch", "2")) {
      Optional<StepId> wanted =
          text.equals("batch") ? Optional.of(new StepId(text)) : Optional.empty();
      StepResult.Made made = assertInstanceOf(StepResult.Made.class, jobs().beginStep(JOB, wanted));
      assertEquals(new JobStep(JOB, new StepId(text)), made.step());
      assertFalse(made.procsFiles().isEmpty());
    }
    assertInstanceOf(StepResult.Refused.class, jobs().beginStep(JOB, Optional.of(StepId.EXTERN)));
  }

  @Test
  void theProcessOfAStepIsInItAndEndsWithTheJob() {
    begin(JOB);
    StepResult.Made made =
        assertInstanceOf(StepResult.Made.class, jobs().beginStep(JOB, Optional.empty()));
    PinnedProcess process = start();
    enter(process, made);
    assertEquals(Optional.of(new InJob(made.step())), jobs().membershipOf(process.ref()));
    assertEquals(Optional.of(new InJob(made.step())), jobs().membershipOf(cgroupsOf(process)));
    assertEquals(
        List.of(new JobProcess(process.ref(), StepId.of(0), "sleep")), jobs().processes(JOB));
    assertEquals(new EndResult.Clean(1), jobs().end(JOB, WAIT));
    assertFalse(process.alive());
  }

  private static Limits memory(long bytes) {
    return new Limits(
        Optional.empty(),
        Optional.empty(),
        OptionalLong.of(bytes),
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        OptionalLong.empty(),
        List.of(),
        Map.of());
  }

  private BeginResult begin(Limits limits) {
    var allocation = new Allocation(limits, DeviceRules.OPEN, Map.of("A", "b"), List.of());
    return jobs().begin(new JobSpec(JOB, ALICE, ALICE, NOON, allocation));
  }

  @Test
  void limitsHoldOrTheJobDoesNotBegin() {
    BeginResult result = begin(memory(GIB));
    if (limits()) {
      assertInstanceOf(BeginResult.Begun.class, result);
      assertEquals(
          new LimitResult.Changed(memory(GIB)), jobs().limit(JOB, Optional.empty(), Limits.NONE));
    } else {
      String reason = assertInstanceOf(BeginResult.Refused.class, result).reason();
      assertTrue(reason.contains("controller memory is missing"), reason);
      assertEquals(List.of(), jobs().list());
    }
  }

  @Test
  void limitsAreChangedOrRefusedWhileTheJobRuns() {
    begin(JOB);
    LimitResult result = jobs().limit(JOB, Optional.empty(), memory(GIB));
    if (limits()) {
      assertEquals(new LimitResult.Changed(memory(GIB)), result);
      assertEquals(
          new LimitResult.Changed(memory(GIB / 2)),
          jobs().limit(JOB, Optional.empty(), memory(GIB / 2)));
    } else {
      String reason = assertInstanceOf(LimitResult.Refused.class, result).reason();
      assertTrue(reason.contains("controller memory is missing"), reason);
      assertEquals(
          new LimitResult.Changed(Limits.NONE), jobs().limit(JOB, Optional.empty(), Limits.NONE));
    }
  }

  @Test
  void aStepIsNotGivenMoreThanItsJobHas() {
    if (!(begin(memory(GIB)) instanceof BeginResult.Begun)) {
      assertFalse(limits());
      return;
    }
    var refused =
        assertInstanceOf(
            StepResult.Refused.class,
            jobs().beginStep(JOB, Optional.empty(), memory(2 * GIB), DeviceRules.OPEN));
    assertTrue(refused.reason().contains("over the parent's"), refused.reason());
    StepResult.Made made =
        assertInstanceOf(
            StepResult.Made.class,
            jobs().beginStep(JOB, Optional.empty(), memory(GIB / 2), DeviceRules.OPEN));
    assertEquals(StepId.of(0), made.step().step());
    Optional<StepId> step = Optional.of(made.step().step());
    assertInstanceOf(LimitResult.Refused.class, jobs().limit(JOB, step, memory(2 * GIB)));
    assertEquals(new LimitResult.Changed(memory(GIB / 2)), jobs().limit(JOB, step, Limits.NONE));
  }

  @Test
  void whatIsNotHereHasNoLimits() {
    assertEquals(new LimitResult.NotHere(), jobs().limit(JOB, Optional.empty(), memory(GIB)));
    begin(JOB);
    assertEquals(
        new LimitResult.NotHere(), jobs().limit(JOB, Optional.of(StepId.of(3)), memory(GIB)));
    jobs().end(JOB, WAIT);
    assertEquals(new LimitResult.NotHere(), jobs().limit(JOB, Optional.empty(), Limits.NONE));
  }

  @Test
  void listenersHearEveryStateOnceAndInOrder() {
    List<JobState> heard = Collections.synchronizedList(new ArrayList<>());
    jobs().listen(job -> heard.add(job.state()));
    begin(JOB);
    begin(JOB);
    assertEquals(List.of(JobState.BEGINNING, JobState.OPEN), heard);
    jobs().end(JOB, WAIT);
    jobs().end(JOB, WAIT);
    assertEquals(
        List.of(JobState.BEGINNING, JobState.OPEN, JobState.CLOSING, JobState.CLOSED), heard);
    heard.clear();
    begin(JOB);
    jobs().suspend(JOB);
    jobs().suspend(JOB);
    jobs().resume(JOB);
    jobs().suspend(JOB);
    jobs().end(JOB, WAIT);
    assertEquals(
        List.of(
            JobState.BEGINNING,
            JobState.OPEN,
            JobState.SUSPENDED,
            JobState.OPEN,
            JobState.SUSPENDED,
            JobState.CLOSING,
            JobState.CLOSED),
        heard);
  }
}
