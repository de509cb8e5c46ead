package dev.rollcall.agent.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.TestNode;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class JobFactRequestsTest {
  private static final Duration NEVER = Duration.ofHours(1);

  private final BlockingQueue<ConnectRequest> asked = new LinkedBlockingQueue<>();
  private TestNode node;

  @BeforeEach
  void start() throws IOException {
    node = new TestNode();
  }

  @AfterEach
  void stop() throws IOException {
    node.close();
  }

  private JobFactRequests facts(Duration every) {
    return new JobFactRequests(
        node.vertx, node.jobs, every, new GatewayConnectionMeters(node.registry, List.of()));
  }

  private void on(Runnable work) {
    node.onLoop(() -> {
      work.run();
      return true;
    });
  }

  private void guess(long... ids) {
    LongStream.of(ids)
        .forEach(id ->
            node.jobs.guess(
                new Job(
                    new JobId(id), TestNode.ALICE, TestNode.ALICE, TestNode.NOON, JobState.OPEN)));
  }

  private List<Long> next() throws InterruptedException {
    ConnectRequest question = asked.poll(20, TimeUnit.SECONDS);
    return question == null ? List.of() : question.getJobsQuestion().getJobIdsList();
  }

  @Test
  void asksAtOnceForAllThatIsGuessed() throws InterruptedException {
    guess(7, 1, 9);
    JobFactRequests facts = facts(NEVER);
    on(() -> facts.begin(asked::add));
    assertEquals(Set.of(1L, 7L, 9L), new HashSet<>(next()));
  }

  @Test
  void asksAgainWhileSomethingIsGuessedAndThenNoMore() throws InterruptedException {
    guess(7);
    JobFactRequests facts = facts(Duration.ofMillis(20));
    on(() -> facts.begin(asked::add));
    assertEquals(List.of(7L), next());
    assertEquals(List.of(7L), next());
    node.jobs.put(
        new Job(new JobId(7), TestNode.ALICE, TestNode.ALICE, TestNode.NOON, JobState.CLOSED));
    on(facts::prompt);
    while (asked.poll(200, TimeUnit.MILLISECONDS) != null) {}
    guess(8);
    on(facts::prompt);
    assertEquals(List.of(8L), next());
  }

  @Test
  void asksSoonForAJobThatComesAndGathersThoseThatComeWithIt() throws InterruptedException {
    JobFactRequests facts = facts(NEVER);
    on(() -> facts.begin(asked::add));
    for (long id : new long[] {3, 4, 5}) {
      guess(id);
      on(facts::prompt);
    }
    assertEquals(List.of(3L, 4L, 5L), next());
    guess(6);
    on(facts::prompt);
    assertNull(asked.poll(1_500, TimeUnit.MILLISECONDS), "within the bound");
  }

  @Test
  void asksAnotherGatewayAtOnceAndNobodyWithoutAStream() throws InterruptedException {
    guess(7);
    JobFactRequests facts = facts(NEVER);
    on(() -> facts.begin(asked::add));
    assertEquals(List.of(7L), next());
    on(facts::end);
    on(facts::prompt);
    on(() -> facts.begin(asked::add));
    assertEquals(List.of(7L), next());
    assertTrue(asked.isEmpty());
  }

  @Test
  void manyJobsTakeTurns() throws InterruptedException {
    guess(IntStream.rangeClosed(1, 2_500).asLongStream().toArray());
    JobFactRequests facts = facts(Duration.ofMillis(20));
    on(() -> facts.begin(asked::add));
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      List<Long> one = next();
      assertEquals(JobFactRequests.MOST_JOBS, one.size());
      seen.addAll(one);
    }
    assertEquals(2_500, seen.size());
  }
}
