package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.rollcall.gateway.batch.Script;
import dev.rollcall.model.JobId;
import dev.rollcall.port.Jobs.JobSpec;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.JobsQuestion;
import dev.rollcall.wire.JobMapper;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What nodes ask of their jobs' facts, over a real port. */
class JobFactsTest {
  @TempDir Path directory = Path.of("unset");

  private static void ask(FakeAgent agent, long job) {
    agent.say(
        ConnectRequest.newBuilder()
            .setJobsQuestion(JobsQuestion.newBuilder().addJobIds(job))
            .build());
  }

  private static JobSpec fact(FakeAgent agent) throws InterruptedException {
    return JobMapper.toModel(agent.next().getJobFacts().getFacts(0), "fact");
  }

  @Test
  void twoNodesAreAnsweredByOneRun() throws Exception {
    Script script = Script.in(directory, Script.TWO_JOBS);
    try (var gateways =
        new TestGateways(TestGateways.World.MEMORY, 1, Optional.of(script.file()))) {
      var first = gateways.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
      var second = gateways.agent(0, "node2", "10.0.0.2").connectWithoutJobs();
      ask(first, 41);
      assertEquals(
          new JobSpec(new JobId(41), 1000, 100, Instant.ofEpochSecond(1_668_772_800)), fact(first));
      ask(second, 42);
      assertEquals(new JobId(42), fact(second).id());
      assertEquals(1, script.runs());
    }
  }

  @Test
  void aQuestionIsLetBeWhereNobodyIsToBeAskedAndNonsenseIsRefused() throws Exception {
    try (var gateways = new TestGateways(TestGateways.World.MEMORY, 1)) {
      var agent = gateways.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
      ask(agent, 41);
      agent.heartbeat();
      assertFalse(agent.hasEnded());
      ask(agent, 0);
      assertEquals(Status.Code.INVALID_ARGUMENT, agent.end().getCode());
    }
  }
}
