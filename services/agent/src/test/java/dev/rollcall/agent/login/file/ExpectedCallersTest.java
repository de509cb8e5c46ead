package dev.rollcall.agent.login.file;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.agent.TestNode;
import dev.rollcall.model.Caller;
import dev.rollcall.model.Connection;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ExpectedCallersTest {
  private static final int CALLER = 1000;
  private static final int OTHER = 1001;
  private static final JobId JOB = new JobId(7);
  private static final JobId ELSEWHERE = new JobId(8);
  private static final ExpectedCallers.Concerned CONCERNED =
      new ExpectedCallers.Concerned(CALLER, Optional.of(JOB));
  private static final int MORE_THAN_IT_KEEPS = 20_000;

  private final ExpectedCallers callers = new ExpectedCallers();

  private static Connection call(int port) {
    return TestNode.callFrom(TestNode.FAR, port);
  }

  private void expect(int port, long nanos) {
    expect(port, nanos, new Membership.InJob(new JobStep(JOB, StepId.EXTERN)), Optional.empty());
  }

  private void expect(int port, long nanos, Membership membership, Optional<JobId> chosen) {
    var node2 = new NodeName("node2");
    var process = new ProcessRef(5, 6);
    var caller = new Caller("cluster", node2, membership, CALLER, process, Instant.EPOCH, chosen);
    callers.expect(call(port), caller, Duration.ofSeconds(150), nanos);
  }

  private List<Long> announced() {
    return announced(CALLER, JOB);
  }

  private List<Long> announced(int uid, JobId... own) {
    return callers.of(uid, Set.of(own)).stream().map(UserFile.Expected::announcedNanos).toList();
  }

  @Test
  void whatIsReportedCountsInItsOrderOnceItIsTakenIn() {
    expect(1, 10);
    expect(2, 20);
    callers.settled(call(1));
    assertEquals(3, callers.news());
    assertEquals(List.of(), announced());
    assertEquals(Set.of(CONCERNED), callers.takeIn());
    assertEquals(List.of(20L), announced());
    assertEquals(Set.of(), callers.takeIn());
  }

  @Test
  void aCallerInAJobLeadsToItWhoseverItIs() {
    expect(1, 10);
    callers.takeIn();
    assertEquals(List.of(10L), announced(OTHER, JOB));
    assertEquals(List.of(), announced(OTHER, ELSEWHERE));
  }

  @Test
  void aCallerInNoJobIsAmongThoseOfItsUserAlone() {
    expect(1, 10, new Membership.NoJob(), Optional.empty());
    assertEquals(Set.of(new ExpectedCallers.Concerned(CALLER, Optional.empty())), callers.takeIn());
    assertEquals(List.of(10L), announced(CALLER, JOB));
    assertEquals(List.of(), announced(OTHER, JOB));
    assertEquals(Optional.empty(), callers.of(CALLER, Set.of(JOB)).getFirst().job());
    callers.settled(call(1));
    callers.takeIn();
    assertEquals(List.of(), announced(CALLER, JOB));
  }

  @Test
  void aCallerInAJobThatIsNotHereIsAmongThoseOfItsUser() {
    expect(1, 10);
    callers.takeIn();
    assertEquals(List.of(10L), announced(CALLER, ELSEWHERE));
    assertEquals(Optional.of(JOB), callers.of(CALLER, Set.of(ELSEWHERE)).getFirst().job());
  }

  @Test
  void aCallAsksForAJobOfItsOwnUserAlone() {
    expect(1, 10, new Membership.NoJob(), Optional.of(JOB));
    callers.takeIn();
    assertEquals(List.of(10L), announced(CALLER, JOB));
    assertEquals(List.of(), announced(OTHER, JOB));
  }

  @Test
  void aLaterCallWithTheSameEndsReplacesTheEarlier() {
    expect(1, 10);
    expect(1, 20, new Membership.NoJob(), Optional.empty());
    callers.takeIn();
    assertEquals(List.of(20L), announced(CALLER, JOB));
    assertEquals(List.of(), announced(OTHER, JOB));
  }

  @Test
  void ofMoreThanItKeepsNobodyIsExpected() {
    expect(1, 10);
    callers.takeIn();
    for (int i = 0; i < MORE_THAN_IT_KEEPS; i++) {
      expect(2 + i, 20 + i);
    }
    assertEquals(Set.of(CONCERNED), callers.takeIn());
    assertEquals(List.of(), announced());
    expect(1, 30);
    callers.takeIn();
    assertEquals(List.of(30L), announced());
  }
}
