package dev.rollcall.agent.gateway;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.TestNode;
import dev.rollcall.port.Jobs.JobSpec;
import dev.rollcall.proto.roll.v1.JobFact;
import dev.rollcall.proto.roll.v1.JobFacts;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.JobMapper;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class JobFactsTakenTest {
  private static final JobFact FACT =
      JobMapper.fact(new JobSpec(TestNode.OLDER, TestNode.ALICE, TestNode.ALICE, TestNode.NOON));

  private static boolean tell(JobFactsTaken taken, int messages, int factsOfEach) {
    JobFacts facts =
        JobFacts.newBuilder().addAllFacts(Collections.nCopies(factsOfEach, FACT)).build();
    for (int i = 0; i < messages; i++) {
      taken.told(facts);
    }
    return true;
  }

  /** More than a gateway was asked for, while none is taken. */
  @Test
  void noMoreWaitThanOneQuestionAsksFor() throws IOException {
    var free = new CountDownLatch(1);
    try (var node = new TestNode()) {
      var meters = new GatewayConnectionMeters(node.registry, List.of());
      var worker = node.vertx.createSharedWorkerExecutor("readers", 1);
      var _ = worker.executeBlocking(() -> free.await(50, TimeUnit.SECONDS));
      var taken = new JobFactsTaken(node.jobs, worker, meters);
      assertTrue(node.onLoop(() -> tell(taken, 12, 100) && tell(taken, 1, 100_000)));
      Await.until("what is too much is dropped", () -> meters.factsLeft.count() == 100_200);
      free.countDown();
      Await.until("the rest is looked at", () -> meters.factsLeft.count() == 101_200);
      assertTrue(node.onLoop(() -> tell(taken, 10, 100)));
      Await.until("so is what comes later", () -> meters.factsLeft.count() == 102_200);
    } finally {
      free.countDown();
    }
  }
}
