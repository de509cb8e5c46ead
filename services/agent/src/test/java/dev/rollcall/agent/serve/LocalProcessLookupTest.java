package dev.rollcall.agent.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.rollcall.agent.TestNode;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessAnswer;
import dev.rollcall.model.ProcessAnswer.InJob;
import dev.rollcall.model.ProcessAnswer.InNoJob;
import dev.rollcall.model.ProcessAnswer.Unknown;
import dev.rollcall.model.ProcessOnNode;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.EnvironmentAllowList;
import dev.rollcall.testkit.jobs.FakeProcess;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LocalProcessLookupTest {
  private static final NodeName HERE = TestNode.IDENTITY.node();
  private static final SocketUser ROOT = new SocketUser(1, 0);
  private static final SocketUser ALICE = new SocketUser(1, TestNode.ALICE);
  private static final SocketUser BOB = new SocketUser(1, TestNode.BOB);
  private static final JobStep STEP = new JobStep(TestNode.OLDER, StepId.of(0));
  private static final Unknown NONE_OF_THEIRS = new Unknown("no process of yours is known there");

  private TestNode node;
  private LocalProcessLookup lookup;
  private FakeProcess inJob;
  private FakeProcess outside;

  @BeforeEach
  void start() throws IOException {
    node = new TestNode();
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    inJob = node.jobs.start("sleep");
    node.jobs.enter(inJob, STEP);
    outside = node.jobs.start("cron");
    node.users.add(inJob, TestNode.ALICE, TestNode.ALICE);
    node.users.add(outside, TestNode.ALICE, TestNode.ALICE);
    lookup =
        new LocalProcessLookup(
            new LocalJobs(node.jobs, HERE, _ -> "", EnvironmentAllowList.DEFAULTS), node.users);
  }

  @AfterEach
  void stop() throws IOException {
    node.close();
  }

  private ProcessAnswer find(SocketUser asker, FakeProcess process) {
    return lookup.find(asker, new ProcessOnNode(HERE, process.ref().pid(), Optional.empty()));
  }

  @Test
  void aProcessIsFoundInItsJob() {
    for (SocketUser asker : new SocketUser[] {ROOT, ALICE}) {
      var found = assertInstanceOf(InJob.class, find(asker, inJob));
      assertEquals(STEP, found.job());
      assertEquals(inJob.ref(), found.process());
      assertEquals(TestNode.ALICE, found.uid());
    }
    assertEquals(NONE_OF_THEIRS, find(BOB, inJob));
  }

  @Test
  void aProcessOutsideOfJobsIsInNone() {
    assertInstanceOf(InNoJob.class, find(ROOT, outside));
    assertInstanceOf(InNoJob.class, find(ALICE, outside));
    assertEquals(NONE_OF_THEIRS, find(BOB, outside));
  }

  @Test
  void aPidThatIsNotThereOrMeansAnotherProcessIsUnknown() {
    int pid = outside.ref().pid();
    long other = outside.ref().startTime() + 1;
    assertEquals(
        new Unknown("pid " + pid + " is a process that started at tick " + (other - 1)),
        lookup.find(ROOT, new ProcessOnNode(HERE, pid, Optional.of(other))));
    outside.exit();
    assertEquals(new Unknown("no process has pid " + pid + " now"), find(ROOT, outside));
    assertEquals(NONE_OF_THEIRS, find(ALICE, outside));
  }
}
