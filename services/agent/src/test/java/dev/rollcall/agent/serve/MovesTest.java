package dev.rollcall.agent.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rollcall.agent.FakeProcesses;
import dev.rollcall.agent.TestNode;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.EnvironmentAllowList;
import dev.rollcall.testkit.jobs.FakeProcess;
import dev.rollcall.testkit.jobs.InMemoryJobs;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A user moves their own processes into their own jobs, and nothing else. */
class MovesTest {
  private static final SocketUser ALICE = new SocketUser(5, TestNode.ALICE);
  private static final SocketUser ROOT = new SocketUser(5, 0);
  private static final JobId BOBS = new JobId(50);

  private final InMemoryJobs jobs = new InMemoryJobs();
  private final FakeProcesses processes = new FakeProcesses();
  private final LocalJobs local =
      new LocalJobs(
          jobs, new NodeName("node2"), uid -> "user" + uid, EnvironmentAllowList.DEFAULTS);
  private final Moves moves =
      new Moves(local, processes, UserMoves.FROM_NO_JOB, MovesTest::owner, () -> 0);
  private final Moves between =
      new Moves(local, processes, UserMoves.BETWEEN_JOBS, MovesTest::owner, () -> 0);
  private final FakeProcess shell = jobs.start("bash");

  @BeforeEach
  void jobsOfTwo() {
    jobs.put(new Job(TestNode.OLDER, TestNode.ALICE, 1, TestNode.NOON, JobState.OPEN));
    jobs.put(new Job(BOBS, TestNode.BOB, 1, TestNode.NOON, JobState.OPEN));
    processes.add(shell, TestNode.ALICE, TestNode.ALICE);
  }

  private static int owner(int uid) {
    return uid >= 100_000 ? TestNode.ALICE : uid;
  }

  private JobStep move(SocketUser asker, FakeProcess process, JobId into) throws IOException {
    return move(moves, asker, process, into);
  }

  private static JobStep move(Moves by, SocketUser asker, FakeProcess process, JobId into)
      throws IOException {
    var start = OptionalLong.of(process.ref().startTime());
    return by.carryOut(asker, new Moves.Move(process.ref().pid(), start, into));
  }

  private Status refusal(SocketUser asker, FakeProcess process, JobId into) {
    return assertThrows(StatusRuntimeException.class, () -> move(asker, process, into)).getStatus();
  }

  @Test
  void aUsersProcessEntersAJobOfTheirs() throws IOException {
    assertEquals(new JobStep(TestNode.OLDER, StepId.EXTERN), move(ALICE, shell, TestNode.OLDER));
    assertEquals(
        Optional.of(new Membership.InJob(new JobStep(TestNode.OLDER, StepId.EXTERN))),
        jobs.membershipOf(shell.ref()));
  }

  @Test
  void anothersJobIsNotToldFromNone() {
    assertEquals(
        refusal(ALICE, shell, new JobId(99)).toString(), refusal(ALICE, shell, BOBS).toString());
    assertEquals(Status.Code.NOT_FOUND, refusal(ALICE, shell, BOBS).getCode());
  }

  @Test
  void anothersProcessStays() {
    FakeProcess bobs = jobs.start("bash");
    processes.add(bobs, TestNode.BOB, TestNode.BOB);
    assertEquals(Status.Code.PERMISSION_DENIED, refusal(ALICE, bobs, TestNode.OLDER).getCode());
  }

  @Test
  void aSetuidProgramStaysWhoeverBeganIt() {
    FakeProcess rising = jobs.start("sudo");
    processes.add(rising, TestNode.ALICE, 0);
    FakeProcess falling = jobs.start("helper");
    processes.add(falling, TestNode.BOB, TestNode.ALICE);
    assertEquals(Status.Code.PERMISSION_DENIED, refusal(ALICE, rising, TestNode.OLDER).getCode());
    assertEquals(Status.Code.PERMISSION_DENIED, refusal(ALICE, falling, TestNode.OLDER).getCode());
  }

  @Test
  void rootMovesAnybodysIntoAnybodys() throws IOException {
    assertEquals(new JobStep(BOBS, StepId.EXTERN), move(ROOT, shell, BOBS));
  }

  @Test
  void aUsersProcessDoesNotLeaveItsJob() throws IOException {
    jobs.put(new Job(TestNode.NEWER, TestNode.ALICE, 1, TestNode.NOON, JobState.OPEN));
    move(ALICE, shell, TestNode.OLDER);
    Status refused = refusal(ALICE, shell, TestNode.NEWER);
    assertEquals(Status.Code.FAILED_PRECONDITION, refused.getCode());
    assertEquals(
        "process 1001 is in job 41, and users of this node cannot move processes out of jobs"
            + " (user_moves)",
        refused.getDescription());
    move(ROOT, shell, TestNode.NEWER);
  }

  @Test
  void aSiteLetsUsersMoveBetweenOpenJobsOfTheirs() throws IOException {
    jobs.put(new Job(TestNode.NEWER, TestNode.ALICE, 1, TestNode.NOON, JobState.OPEN));
    move(between, ALICE, shell, TestNode.OLDER);
    assertEquals(
        new JobStep(TestNode.NEWER, StepId.EXTERN), move(between, ALICE, shell, TestNode.NEWER));
  }

  @Test
  void nothingLeavesAJobThatIsEndingNotEvenForRoot() throws IOException {
    jobs.put(new Job(TestNode.NEWER, TestNode.ALICE, 1, TestNode.NOON, JobState.OPEN));
    move(ALICE, shell, TestNode.OLDER);
    jobs.put(new Job(TestNode.OLDER, TestNode.ALICE, 1, TestNode.NOON, JobState.CLOSING));
    for (SocketUser asker : List.of(ALICE, ROOT)) {
      Status refused =
          assertThrows(
                  StatusRuntimeException.class, () -> move(between, asker, shell, TestNode.NEWER))
              .getStatus();
      assertEquals(Status.Code.FAILED_PRECONDITION, refused.getCode());
      assertEquals("process 1001 stays where it is: job 41 is closing", refused.getDescription());
    }
  }

  @Test
  void aPidThatIsAnotherProcessByNowIsNotMoved() {
    var move =
        new Moves.Move(
            shell.ref().pid(), OptionalLong.of(shell.ref().startTime() + 1), TestNode.OLDER);
    Status status =
        assertThrows(StatusRuntimeException.class, () -> moves.carryOut(ALICE, move)).getStatus();
    assertEquals(Status.Code.NOT_FOUND, status.getCode());
  }

  @Test
  void aSuspendedJobTakesNothing() {
    jobs.put(new Job(TestNode.OLDER, TestNode.ALICE, 1, TestNode.NOON, JobState.SUSPENDED));
    assertEquals(Status.Code.FAILED_PRECONDITION, refusal(ALICE, shell, TestNode.OLDER).getCode());
  }

  @Test
  void whoMovesTooFastIsStoppedAndOthersAreNot() {
    for (int i = 0; i < 500; i++) {
      moves.admit(ALICE);
    }
    assertEquals(
        Status.Code.RESOURCE_EXHAUSTED,
        assertThrows(StatusRuntimeException.class, () -> moves.admit(ALICE)).getStatus().getCode());
    moves.admit(new SocketUser(6, TestNode.BOB));
    moves.admit(ROOT);
  }

  @Test
  void subordinateUidsMoveNoFasterThanTheirOwner() {
    for (int i = 0; i < 500; i++) {
      moves.admit(new SocketUser(6, 100_000 + i));
    }
    assertThrows(StatusRuntimeException.class, () -> moves.admit(new SocketUser(6, 165_535)));
    assertThrows(StatusRuntimeException.class, () -> moves.admit(ALICE));
    moves.admit(new SocketUser(6, TestNode.BOB));
  }
}
