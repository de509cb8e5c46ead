package dev.rollcall.agent.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.FakeProcesses;
import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.linux.execs.ExecWatch;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.StepId;
import dev.rollcall.model.usage.Incident;
import dev.rollcall.testkit.jobs.FakeProcess;
import dev.rollcall.testkit.log.LoggedLines;
import dev.rollcall.testkit.process.Await;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of processes outside of jobs. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OutsideVerticleTest {
  private static final String UNIT =
      "/user.slice/user-2001.slice/user@2001.service/app.slice/run-1.service";

  private static final String MANAGER = "/user.slice/user-2001.slice/user@2001.service/init.scope";

  private final FakeExecs execs = new FakeExecs();
  private final FakeProcesses processes = new FakeProcesses();
  private TestNode node;
  private TestNode.Heard<Incident> told;

  /** The kernel, for one listener. */
  private static final class FakeExecs implements Execs {
    private volatile ExecWatch.@Nullable Listener listener;
    private volatile Set<Integer> watched = Set.of();
    private volatile Optional<String> refusal = Optional.empty();
    private volatile boolean noJobYet;
    private volatile int room = Integer.MAX_VALUE;

    @Override
    public void open(ExecWatch.Listener to) throws IOException {
      if (noJobYet) {
        throw new NotYetException("no job is here");
      }
      if (refusal.isPresent()) {
        throw new IOException(refusal.get());
      }
      listener = to;
    }

    @Override
    public void watch(Set<Integer> uids) throws IOException {
      if (uids.size() > room) {
        throw new IOException("there is room for " + room);
      }
      watched = uids;
    }

    void begun(FakeProcess process, int uid) {
      ExecWatch.Listener to = listener;
      if (to != null) {
        to.begun(process.ref().pid(), uid);
      }
    }

    @Override
    public void close() {}
  }

  @BeforeEach
  void start() throws IOException {
    node = new TestNode();
    told = node.hear(Topics.INCIDENT_RECORDED);
  }

  @AfterEach
  void stop() throws IOException {
    node.close();
  }

  private void deploy(UserServices wanted) {
    node.deploy(
        new OutsideVerticle(
            node.bus,
            node.jobs,
            new OutsideVerticle.Kernel(execs, processes, uid -> uid >= 1000),
            wanted,
            new OutsideVerticle.Workers(
                node.vertx.createSharedWorkerExecutor("findings", 1), node.workers),
            TestNode.IS_OWN,
            node.registry));
  }

  private FakeProcess runs(int uid, String cgroup) {
    FakeProcess process = node.jobs.start("sleep");
    processes.put(process, uid, cgroup);
    return process;
  }

  private void begins(FakeProcess process) {
    execs.begun(process, TestNode.ALICE);
  }

  private double places(String place) {
    return node.registry.get("rollcall.outside.processes").tag("place", place).counter().count();
  }

  private double actions(String action) {
    return node.registry.get("rollcall.outside.actions").tag("action", action).counter().count();
  }

  @Test
  void watchesTheUsersOfJobsAndNobodyElse() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    deploy(UserServices.REPORT);
    Await.until("alice is watched", () -> execs.watched.equals(Set.of(TestNode.ALICE)));
    assertEquals(1, node.registry.get("rollcall.outside.watching").gauge().value());
  }

  @Test
  void tellsOfAProcessOfTheUsersOwnSystemd() {
    node.twoJobsOfAlice();
    deploy(UserServices.REPORT);
    FakeProcess process = runs(TestNode.ALICE, UNIT);
    begins(process);
    Incident incident = told.next();
    assertEquals(Incident.Kind.ESCAPED, incident.kind());
    assertEquals(new JobStep(TestNode.NEWER, StepId.EXTERN), incident.step());
    assertEquals(
        "process %d (sleep) of uid 2001 is in %s, in no job".formatted(process.ref().pid(), UNIT),
        incident.what());
    assertTrue(process.alive());
    assertEquals(Optional.of(new Membership.NoJob()), node.jobs.membershipOf(process.ref()));
    assertEquals(1, places("user-service"));
    assertEquals(1, actions("reported"));
  }

  @Test
  void bringsItIntoTheNewestJobWhereTheSiteWantsThat() {
    node.twoJobsOfAlice();
    deploy(UserServices.ADOPT);
    FakeProcess process = runs(TestNode.ALICE, UNIT);
    begins(process);
    assertTrue(told.next().what().endsWith("in no job: moved into job 42"));
    assertEquals(
        Optional.of(new Membership.InJob(new JobStep(TestNode.NEWER, StepId.EXTERN))),
        node.jobs.membershipOf(process.ref()));
    FakeProcess cron = runs(TestNode.ALICE, "/system.slice/cron.service");
    begins(cron);
    assertTrue(told.next().what().endsWith("moved into job 42"));
  }

  @Test
  void leavesTheInstanceItselfWhereItIs() {
    node.twoJobsOfAlice();
    deploy(UserServices.ADOPT);
    FakeProcess manager = runs(TestNode.ALICE, MANAGER);
    begins(manager);
    FakeProcess next = runs(TestNode.ALICE, UNIT);
    begins(next);
    assertTrue(told.next().what().contains("process " + next.ref().pid() + " "), "not the manager");
    assertTrue(manager.alive());
    assertEquals(Optional.of(new Membership.NoJob()), node.jobs.membershipOf(manager.ref()));
    assertEquals(1, places("user-manager"));
    assertEquals(1, actions("reported"));
  }

  /** user@UID.service is delegated: its user moves own processes wherever they like in it. */
  @Test
  void bringsAlsoWhatItsUserPutToTheInstanceIntoTheJob() {
    node.twoJobsOfAlice();
    deploy(UserServices.ADOPT);
    FakeProcess manager = runs(TestNode.ALICE, MANAGER);
    FakeProcess generator = runsBelow(manager, "generator");
    FakeProcess hidden = runsBelow(manager, "(sd-pam)");
    List.of(manager, generator, hidden).forEach(this::begins);
    Await.until("all are counted", () -> places("user-manager") == 3);
    generator.exit();
    assertTrue(told.next().what().endsWith("in no job: moved into job 42"));
    assertEquals(
        Optional.of(new Membership.InJob(new JobStep(TestNode.NEWER, StepId.EXTERN))),
        node.jobs.membershipOf(hidden.ref()));
    assertEquals(Optional.of(new Membership.NoJob()), node.jobs.membershipOf(manager.ref()));
    assertEquals(1, places("user-service"));
    assertEquals(1, actions("adopted"));
  }

  @Test
  void leavesTheInstancesChildThatTheSearchFinds() {
    FakeProcess manager = runs(TestNode.ALICE, MANAGER);
    FakeProcess pamChild = runsBelow(manager, "(sd-pam)");
    FakeProcess hidden = runsBelow(manager, "sleep");
    deploy(UserServices.ADOPT);
    node.jobs.listen(job -> node.bus.tell(Topics.JOB_CHANGED, job));
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    assertTrue(told.next().what().contains("process " + hidden.ref().pid() + " "));
    for (FakeProcess stays : List.of(manager, pamChild)) {
      assertEquals(Optional.of(new Membership.NoJob()), node.jobs.membershipOf(stays.ref()));
    }
  }

  private FakeProcess runsBelow(FakeProcess manager, String command) {
    FakeProcess process = node.jobs.start(command);
    processes.put(process, manager.ref().pid(), TestNode.ALICE, MANAGER);
    return process;
  }

  @Test
  void killsItWhereTheSiteWantsThat() {
    node.twoJobsOfAlice();
    deploy(UserServices.DENY);
    FakeProcess process = runs(TestNode.ALICE, "/system.slice/atd.service");
    FakeProcess session = runs(TestNode.ALICE, "/system.slice/ssh.service");
    begins(process);
    assertTrue(told.next().what().endsWith("in no job: killed"));
    assertFalse(process.alive());
    begins(session);
    assertTrue(told.next().what().endsWith("in no job"), "a session is nobody's to kill");
    assertTrue(session.alive());
  }

  @Test
  void saysWhyItCouldNotBeBroughtBack() {
    node.twoJobsOfAlice();
    node.jobs.refuseMoves(Optional.of("write(cgroup.procs) failed: EBUSY"));
    deploy(UserServices.ADOPT);
    begins(runs(TestNode.ALICE, UNIT));
    assertTrue(told.next().what().endsWith("not moved: write(cgroup.procs) failed: EBUSY"));
    assertEquals(1, actions("failed"));
  }

  @Test
  void passesOverWhatIsInAJobAndWhoHasNone() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    deploy(UserServices.DENY);
    FakeProcess inside = runs(TestNode.ALICE, UNIT);
    node.jobs.enter(inside, new JobStep(TestNode.OLDER, StepId.of(0)));
    FakeProcess bobs = runs(TestNode.BOB, UNIT);
    begins(inside);
    execs.begun(bobs, TestNode.BOB);
    FakeProcess last = runs(TestNode.ALICE, UNIT);
    begins(last);
    assertTrue(told.next().what().contains("process " + last.ref().pid() + " "));
    assertTrue(inside.alive());
    assertTrue(bobs.alive());
  }

  @Test
  void findsWhatWasBegunBeforeTheUserHadAJob() {
    FakeProcess before = runs(TestNode.ALICE, UNIT);
    deploy(UserServices.ADOPT);
    Await.until("nobody is watched", () -> execs.watched.isEmpty());
    node.jobs.listen(job -> node.bus.tell(Topics.JOB_CHANGED, job));
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    assertTrue(told.next().what().contains("process " + before.ref().pid() + " "));
  }

  @Test
  void watchesAUserForWhomThereWasNoRoomWhenThereIs() {
    execs.room = 1;
    node.jobs.listen(job -> node.bus.tell(Topics.JOB_CHANGED, job));
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    deploy(UserServices.REPORT);
    Await.until("alice is watched", () -> execs.watched.equals(Set.of(TestNode.ALICE)));
    FakeProcess before = runs(TestNode.BOB, UNIT);
    try (var logged = LoggedLines.of(OutsideVerticle.class.getName())) {
      node.job(new JobId(50), TestNode.BOB, JobState.OPEN, 1);
      node.job(new JobId(51), TestNode.ALICE, JobState.OPEN, 2);
      node.job(new JobId(52), TestNode.BOB, JobState.OPEN, 3);
      var line = "users [2002] are not all watched: there is room for 1";
      Await.until("it is logged", () -> logged.lines().contains(line));
      execs.room = 2;
      node.job(new JobId(53), TestNode.ALICE, JobState.OPEN, 4);
      assertTrue(told.next().what().contains("process " + before.ref().pid() + " "));
      assertEquals(Set.of(TestNode.ALICE, TestNode.BOB), execs.watched);
      assertEquals(1, logged.lines().stream().filter(line::equals).count());
    }
  }

  @Test
  void tellsOfAServiceOnceAndCountsTheRest() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    deploy(UserServices.REPORT);
    for (int each = 0; each < 10; each++) {
      begins(runs(TestNode.ALICE, UNIT));
    }
    Await.until("all are counted", () -> actions("reported") == 10);
    assertEquals(1, told.next().times());
    assertTrue(told.queue().isEmpty());
  }

  /** A user makes cgroups below user@UID.service, with any names. */
  @Test
  void tellsOfAUserWhoBeginsServicesWithoutEndABoundedNumberOfTimes() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    deploy(UserServices.REPORT);
    for (int each = 0; each < 200; each++) {
      begins(runs(TestNode.ALICE, UNIT + each));
    }
    Await.until("all are counted", () -> actions("reported") == 200);
    for (int each = 0; each <= OutsideReports.MOST_CGROUPS; each++) {
      assertEquals(1, told.next().times());
    }
    assertTrue(told.queue().isEmpty());
  }

  @Test
  void countsAProcessOnceHoweverOftenItIsSeen() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    deploy(UserServices.REPORT);
    FakeProcess process = runs(TestNode.ALICE, UNIT);
    begins(process);
    begins(process);
    FakeProcess next = runs(TestNode.ALICE, "/system.slice/cron.service");
    begins(next);
    assertTrue(told.next().what().contains("process " + process.ref().pid() + " "));
    assertTrue(told.next().what().contains("process " + next.ref().pid() + " "));
    assertEquals(2, actions("reported"));
  }

  @Test
  void goesOnWithoutWhereTheKernelDoesNotTell() {
    execs.refusal = Optional.of("bpf is off");
    node.job(new JobId(9), TestNode.ALICE, JobState.OPEN, 0);
    deploy(UserServices.REPORT);
    assertEquals(0, node.registry.get("rollcall.outside.watching").gauge().value());
  }

  /** Slurm's scope is known when a job is in it. */
  @Test
  void beginsToWatchWhenAJobMakesItPossible() {
    execs.noJobYet = true;
    node.jobs.listen(job -> node.bus.tell(Topics.JOB_CHANGED, job));
    deploy(UserServices.REPORT);
    assertEquals(0, node.registry.get("rollcall.outside.watching").gauge().value());
    execs.noJobYet = false;
    node.twoJobsOfAlice();
    Await.until("alice is watched", () -> execs.watched.equals(Set.of(TestNode.ALICE)));
    assertEquals(1, node.registry.get("rollcall.outside.watching").gauge().value());
    begins(runs(TestNode.ALICE, UNIT));
    assertEquals(Incident.Kind.ESCAPED, told.next().kind());
  }
}
