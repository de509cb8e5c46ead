package dev.rollcall.agent.login.file;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.login.caller.PendingCaller;
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
  private static final JobId JOB = new JobId(7);
  private static final int MORE_THAN_IT_KEEPS = 20_000;

  private final ExpectedCallers callers = new ExpectedCallers();

  private static Connection call(int port) {
    return TestNode.callFrom(TestNode.FAR, port);
  }

  private void expect(int port, long nanos) {
    var caller =
        new Caller(
            "cluster",
            new NodeName("node2"),
            new Membership.InJob(new JobStep(JOB, StepId.EXTERN)),
            1000,
            new ProcessRef(5, 6),
            Instant.EPOCH,
            Optional.empty());
    callers.expect(new PendingCaller(call(port), caller, Duration.ofSeconds(150)), nanos);
  }

  private List<Long> announced() {
    return callers.of(1000, Set.of(JOB)).stream().map(UserFile.Expected::announcedNanos).toList();
  }

  @Test
  void whatIsToldCountsInItsOrderOnceItIsTakenIn() {
    expect(1, 10);
    expect(2, 20);
    callers.settled(call(1));
    assertEquals(3, callers.news());
    assertEquals(List.of(), announced());
    assertEquals(Set.of(JOB), callers.takeIn());
    assertEquals(List.of(20L), announced());
    assertEquals(Set.of(), callers.takeIn());
  }

  @Test
  void ofMoreThanItKeepsNobodyIsExpected() {
    expect(1, 10);
    callers.takeIn();
    for (int i = 0; i < MORE_THAN_IT_KEEPS; i++) {
      expect(2 + i, 20 + i);
    }
    assertEquals(Set.of(JOB), callers.takeIn());
    assertEquals(List.of(), announced());
    expect(1, 30);
    callers.takeIn();
    assertEquals(List.of(30L), announced());
  }
}
