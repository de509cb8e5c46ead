package dev.rollcall.agent.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.FakeProcesses;
import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.OutsideProcess;
import dev.rollcall.agent.event.OutsideProcess.Attributed;
import dev.rollcall.agent.event.OutsideProcess.By;
import dev.rollcall.agent.event.OutsideProcess.Origin;
import dev.rollcall.agent.event.OutsideProcess.Plan;
import dev.rollcall.agent.event.OutsideProcessMapper;
import dev.rollcall.agent.event.OutsideProcessesFound;
import dev.rollcall.agent.event.Phase;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.RememberedAdoption;
import dev.rollcall.agent.event.RollQuestion;
import dev.rollcall.linux.execs.ExecWatch;
import dev.rollcall.model.Caller;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Decision;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.Reason;
import dev.rollcall.model.StepId;
import dev.rollcall.testkit.jobs.FakeProcess;
import io.vertx.core.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is listed of processes in no job. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OutsideProcessesTest {
  private static final String CRON = "/system.slice/cron.service";
  private static final String UNIT = "/user.slice/user-2001.slice/user@2001.service/a.service";
  private static final String MANAGER = "/user.slice/user-2001.slice/user@2001.service/init.scope";
  private static final String REST = "/system.slice/ssh.service";

  private final FakeProcesses processes = new FakeProcesses();
  private final List<RememberedAdoption> sessions = new ArrayList<>();
  private final List<Connection> asked = new ArrayList<>();
  private CallerAnswer caller = new CallerAnswer.Unknown("nobody knows");
  private TestNode node;

  /** A kernel that tells of nothing that begins. */
  private static final class QuietExecs implements Execs {
    private final boolean opens;

    QuietExecs(boolean opens) {
      this.opens = opens;
    }

    @Override
    public void open(ExecWatch.Listener listener) throws IOException {
      if (!opens) {
        throw new IOException("bpf is off");
      }
    }

    @Override
    public void watch(Set<Integer> uids) {}

    @Override
    public void close() {}
  }

  @BeforeEach
  void start() throws IOException {
    node = new TestNode();
    node.onLoop(() -> {
      node.bus.answer(Queries.ADOPTIONS_LISTED, _ -> Future.succeededFuture(List.copyOf(sessions)));
      node.bus.answer(
          Queries.CALLER_IN_ROLL,
          (RollQuestion question) -> {
            asked.add(question.connection());
            return Future.succeededFuture(caller);
          });
      return true;
    });
  }

  @AfterEach
  void stop() throws IOException {
    node.close();
  }

  private void deploy(UserServices wanted, boolean watching) {
    node.deploy(
        new OutsideVerticle(
            node.bus,
            node.jobs,
            new OutsideVerticle.Kernel(new QuietExecs(watching), processes, uid -> uid >= 1000),
            wanted,
            new OutsideVerticle.Workers(
                node.vertx.createSharedWorkerExecutor("findings", 1), node.workers),
            TestNode.IS_OWN,
            node.registry));
  }

  private OutsideProcessesFound look() {
    return look(Optional.empty());
  }

  private OutsideProcessesFound look(Optional<Integer> uid) {
    return TestNode.await(
        node.bus.ask(Queries.OUTSIDE_PROCESSES_LISTED, uid, Duration.ofSeconds(20)));
  }

  private FakeProcess runs(int uid, String cgroup) {
    return runs("sleep", 1, uid, cgroup);
  }

  private FakeProcess runs(String command, int parent, int uid, String cgroup) {
    FakeProcess process = node.jobs.start(command);
    processes.put(process, parent, uid, cgroup);
    return process;
  }

  private void session(FakeProcess sshd, int uid, Optional<Decision> would) {
    session(sshd, uid, would, TestNode.FAR);
  }

  private void session(FakeProcess sshd, int uid, Optional<Decision> would, InetAddress from) {
    var adoption =
        new Adoption(
            "7-1",
            uid,
            "alice",
            "sshd",
            "10.77.0.1",
            Phase.ACCOUNT,
            Adoption.Outcome.ALLOWED,
            Optional.empty(),
            Reason.CALLER_UNKNOWN,
            "",
            Optional.of(TestNode.callFrom(from, 40_000).flipped()),
            TestNode.NOON,
            Duration.ofMillis(1),
            would);
    sessions.add(new RememberedAdoption(adoption, sshd.ref()));
  }

  private static List<ProcessRef> refs(OutsideProcessesFound found) {
    return found.outsideProcesses().stream().map(OutsideProcess::process).toList();
  }

  @Test
  void listsProcessesOfAllUsersAlsoOfThoseWithoutAJobAndNoneOfJobsOrOfTheSystem() {
    deploy(UserServices.REPORT, true);
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    FakeProcess inside = runs(TestNode.ALICE, "/job");
    node.jobs.enter(inside, new JobStep(TestNode.OLDER, StepId.of(0)));
    runs("systemd-timesyn", 1, 997, "/system.slice/systemd-timesyncd.service");
    runs("cron", 1, 0, CRON);
    FakeProcess gone = runs(TestNode.BOB, REST);
    gone.exit();
    FakeProcess alices = runs(TestNode.ALICE, CRON);
    FakeProcess bobs = runs(TestNode.BOB, REST);
    OutsideProcessesFound found = look();
    assertEquals(List.of(alices.ref(), bobs.ref()), refs(found));
    assertEquals(0, found.leftOut());
    assertEquals(
        new OutsideProcess(
            alices.ref(),
            TestNode.ALICE,
            "sleep",
            TestNode.NOON,
            Origin.CRON,
            CRON,
            Optional.empty(),
            Optional.empty(),
            Plan.NOTHING),
        found.outsideProcesses().getFirst());
    assertEquals(List.of(bobs.ref()), refs(look(Optional.of(TestNode.BOB))));
    assertTrue(alices.alive() && bobs.alive(), "nobody is harmed by a look");
  }

  @Test
  void aUserOfTheSystemIsListedWhileJobsHere() {
    deploy(UserServices.REPORT, true);
    FakeProcess service = runs(500, REST);
    assertEquals(List.of(), look().outsideProcesses());
    node.job(TestNode.OLDER, 500, JobState.OPEN, 0);
    dev.rollcall.testkit.process.Await.until(
        "it is seen by the next look", () -> refs(look()).equals(List.of(service.ref())));
  }

  @ParameterizedTest
  @CsvSource({
    "REPORT, true, NOTHING NOTHING NOTHING NOTHING",
    "ADOPT, true, ADOPT ADOPT NOTHING NOTHING",
    "DENY, true, END END END NOTHING",
    "ADOPT, false, NOTHING NOTHING NOTHING NOTHING",
    "DENY, false, NOTHING NOTHING NOTHING NOTHING"
  })
  void saysWhatTheAgentDoesWithSuchAProcess(UserServices wanted, boolean watching, String plans) {
    deploy(wanted, watching);
    List.of(CRON, UNIT, MANAGER, REST).forEach(cgroup -> runs(TestNode.BOB, cgroup));
    assertEquals(
        plans,
        String.join(
            " ", look().outsideProcesses().stream().map(each -> each.plan().name()).toList()));
  }

  @Test
  void saysThatAProcessWhichItsUserPutToTheInstanceIsAdopted() {
    deploy(UserServices.ADOPT, true);
    FakeProcess manager = runs(TestNode.BOB, MANAGER);
    runs("(sd-pam)", manager.ref().pid(), TestNode.BOB, MANAGER);
    runs("sleep", manager.ref().pid(), TestNode.BOB, MANAGER);
    assertEquals(
        List.of(Plan.NOTHING, Plan.NOTHING, Plan.ADOPT),
        look().outsideProcesses().stream().map(OutsideProcess::plan).toList());
  }

  @Test
  void ofMoreProcessesThanAreLookedAtTheOthersAreCounted() {
    deploy(UserServices.REPORT, true);
    for (int i = 0; i < OutsideProcesses.MOST + 3; i++) {
      runs(TestNode.BOB, REST);
    }
    OutsideProcessesFound found = look();
    assertEquals(OutsideProcesses.MOST, found.outsideProcesses().size());
    assertEquals(3, found.leftOut());
  }

  @Test
  void whatDescendsFromAProcessOfAJobOfTheUsersIsAttributedToIt() {
    deploy(UserServices.REPORT, true);
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    FakeProcess step = runs("step", 1, TestNode.ALICE, "/job");
    node.jobs.enter(step, new JobStep(TestNode.OLDER, StepId.of(0)));
    FakeProcess shell = runs("sh", step.ref().pid(), TestNode.ALICE, REST);
    FakeProcess bobs = runs("sleep", step.ref().pid(), TestNode.BOB, REST);
    OutsideProcessesFound found = look();
    assertEquals(List.of(shell.ref(), bobs.ref()), refs(found));
    assertEquals(
        Optional.of(new Attributed(TestNode.OLDER, By.LINEAGE)),
        found.outsideProcesses().getFirst().attributed());
    assertEquals(
        Optional.empty(), found.outsideProcesses().getLast().attributed(), "the job is not bob's");
  }

  @Test
  void aProcessOfASessionNamesItAndTheJobThatItWouldHaveEntered() {
    deploy(UserServices.REPORT, true);
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    FakeProcess sshd = runs("sshd", 1, 0, REST);
    session(sshd, TestNode.ALICE, Optional.of(new Decision.Adopt(TestNode.OLDER, Reason.ONLY_JOB)));
    FakeProcess shell = runs("bash", sshd.ref().pid(), TestNode.ALICE, REST);
    runs("sleep", shell.ref().pid(), TestNode.ALICE, REST);
    for (OutsideProcess each : look().outsideProcesses()) {
      assertEquals(Origin.SSH, each.origin());
      assertEquals(Optional.of("7-1"), each.session().map(Adoption::id));
      assertEquals(Optional.of(new Attributed(TestNode.OLDER, By.SESSION)), each.attributed());
    }
    assertEquals(List.of(), asked);
  }

  @Test
  void whoCalledTellsTheJobOfASessionThatEnteredNone() {
    deploy(UserServices.REPORT, true);
    FakeProcess sshd = runs("sshd", 1, 0, REST);
    session(sshd, TestNode.ALICE, Optional.empty());
    FakeProcess shell = runs("bash", sshd.ref().pid(), TestNode.ALICE, REST);
    runs("sleep", shell.ref().pid(), TestNode.BOB, REST);
    caller = inJob77();
    OutsideProcessesFound found = look();
    assertEquals(
        Optional.of(new Attributed(new JobId(77), By.CALL)),
        found.outsideProcesses().getFirst().attributed());
    assertEquals(
        Optional.empty(),
        found.outsideProcesses().getLast().attributed(),
        "alice's call is not bob's");
    assertEquals(List.of(TestNode.callFrom(TestNode.FAR, 40_000)), asked);
  }

  /** Nobody answers for logins here: without eBPF, one such search takes half a second. */
  @Test
  void noLoginWaitsForTheSearchOfACallerOfThisNode() {
    node.onLoop(() -> {
      node.bus.answer(Queries.CALLER_LOCAL_FOR_USER, _ -> Future.succeededFuture(caller));
      return true;
    });
    deploy(UserServices.REPORT, true);
    FakeProcess sshd = runs("sshd", 1, 0, REST);
    session(sshd, TestNode.ALICE, Optional.empty(), TestNode.HERE);
    runs("bash", sshd.ref().pid(), TestNode.ALICE, REST);
    caller = inJob77();
    assertEquals(
        Optional.of(new Attributed(new JobId(77), By.CALL)),
        look().outsideProcesses().getFirst().attributed());
  }

  private static CallerAnswer inJob77() {
    return new CallerAnswer.Found(
        new Caller(
            "test",
            new NodeName("node1"),
            new Membership.InJob(new JobStep(new JobId(77), StepId.EXTERN)),
            TestNode.ALICE,
            new ProcessRef(5, 5),
            TestNode.NOON));
  }

  @Test
  void oneLookServesAllWhoAskWithinTwoSeconds() {
    deploy(UserServices.REPORT, true);
    runs(TestNode.ALICE, REST);
    long before = System.nanoTime();
    for (int i = 0; i < 50; i++) {
      assertEquals(1, look().outsideProcesses().size());
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - before);
    assertTrue(processes.looks.get() <= 1 + seconds / 2 + 1, processes.looks + " looks");
  }

  @Test
  void aMessageIsBoundedAndCanBePrinted() {
    var many = new ArrayList<OutsideProcess>();
    for (int pid = 1; pid <= 300; pid++) {
      many.add(
          new OutsideProcess(
              new ProcessRef(pid, pid),
              TestNode.ALICE,
              "\u001b[2J\nrm",
              TestNode.NOON,
              Origin.UNKNOWN,
              "/" + "x".repeat(5_000),
              Optional.empty(),
              Optional.empty(),
              Plan.NOTHING));
    }
    var message =
        OutsideProcessMapper.message(
            new OutsideProcessesFound(many, 5, TestNode.NOON), new NodeName("n"));
    assertEquals(200, message.getOutsideProcessesCount());
    assertEquals(105, message.getLeftOut());
    assertEquals("?[2J?rm", message.getOutsideProcesses(0).getCommand());
    assertTrue(message.getSerializedSize() < 40_000, message.getSerializedSize() + " bytes");
    assertFalse(message.getOutsideProcesses(0).hasSessionUid());
  }
}
