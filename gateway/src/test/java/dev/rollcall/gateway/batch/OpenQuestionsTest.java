package dev.rollcall.gateway.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.gateway.stream.ConnectedNode;
import dev.rollcall.model.JobId;
import dev.rollcall.port.Jobs.JobSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OpenQuestionsTest {
  private static final Duration EVERY = Duration.ofSeconds(30);
  private static final ConnectedNode A = new NotingStream().node("a");
  private static final ConnectedNode B = new NotingStream().node("b");

  private long now = Long.MAX_VALUE - 5; // it wraps
  private final OpenQuestions questions = new OpenQuestions(EVERY, () -> now);

  private static List<JobId> ids(long... numbers) {
    return LongStream.of(numbers).mapToObj(JobId::new).toList();
  }

  private static List<JobSpec> specs(long... numbers) {
    return ids(numbers).stream().map(id -> new JobSpec(id, 1, 1, Instant.EPOCH)).toList();
  }

  private static Map<JobId, JobSpec> answer(long... numbers) {
    return specs(numbers).stream().collect(Collectors.toMap(JobSpec::id, each -> each));
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  @Test
  void nobodyIsAskedWhileNobodyWaits() {
    assertFalse(questions.begin());
    assertEquals(List.of(), questions.ask(A, ids(1)));
    assertTrue(questions.begin());
  }

  @Test
  void oneAnswerIsForAllWhoWaitAndForWhatEachWaitsFor() {
    questions.ask(A, ids(1, 2, 9));
    questions.ask(B, ids(2));
    assertTrue(questions.begin());
    assertFalse(questions.begin());
    assertEquals(Map.of(A, specs(1, 2), B, specs(2)), questions.answered(answer(1, 2, 3)));
    assertEquals(1, questions.count());
  }

  @Test
  void whoeverAsksWithinTheBoundIsAnsweredFromTheLastAnswer() {
    questions.ask(A, ids(1));
    assertTrue(questions.begin());
    questions.answered(answer(1, 3));
    pass(EVERY.minusNanos(1));
    assertEquals(specs(3), questions.ask(B, ids(3, 4)));
    assertFalse(questions.begin());
    pass(Duration.ofNanos(1));
    assertEquals(List.of(), questions.ask(A, ids(3)), "a job may have been run again");
    assertTrue(questions.begin());
    assertEquals(Map.of(A, specs(3), B, specs(4)), questions.answered(answer(3, 4)));
    assertEquals(0, questions.count());
  }

  @Test
  void aRunThatTakesLongerThanTheBoundIsWaitedFor() {
    questions.ask(A, ids(1));
    assertTrue(questions.begin());
    pass(EVERY.multipliedBy(2));
    assertFalse(questions.begin());
    questions.failed();
    assertTrue(questions.begin());
  }

  @Test
  void aFailureKeepsWhatWaitsAndTheBound() {
    questions.ask(A, ids(1));
    for (int run = 0; run < 3 * OpenQuestions.MOST_RUNS; run++) {
      assertTrue(questions.begin());
      questions.failed();
      assertFalse(questions.begin());
      pass(EVERY);
    }
    assertTrue(questions.begin());
    assertEquals(Map.of(A, specs(1)), questions.answered(answer(1)));
  }

  @Test
  void forAJobThatIsNeverFoundNobodyIsAskedForEver() {
    questions.ask(A, ids(1));
    for (int run = 0; run < OpenQuestions.MOST_RUNS; run++) {
      assertTrue(questions.begin());
      assertEquals(Map.of(), questions.answered(answer(7)));
      pass(EVERY);
      questions.ask(A, ids(1));
    }
    assertFalse(questions.begin());
    questions.ask(B, ids(2));
    assertTrue(questions.begin());
    assertEquals(
        Map.of(A, specs(1), B, specs(2)), questions.answered(answer(1, 2)), "found at last");
  }

  @Test
  void whatANodeAsksTakesThePlaceOfWhatItAskedBefore() {
    questions.ask(A, ids(1, 2));
    questions.ask(A, ids(2, 3));
    assertEquals(2, questions.count());
    assertTrue(questions.begin());
    assertEquals(Map.of(A, specs(2, 3)), questions.answered(answer(1, 2, 3)));
  }

  @Test
  void aNodeThatLeftIsForgotten() {
    questions.ask(A, ids(1));
    questions.forget(A);
    assertEquals(0, questions.count());
    assertFalse(questions.begin());
  }

  @Test
  void noMoreIsKeptThanIsBounded() {
    long[] many = LongStream.rangeClosed(1, OpenQuestions.MOST_JOBS + 1).toArray();
    questions.ask(A, ids(many));
    assertEquals(OpenQuestions.MOST_JOBS, questions.count());
    for (int node = 0; node <= OpenQuestions.MOST_WAITING / OpenQuestions.MOST_JOBS; node++) {
      questions.ask(new NotingStream().node("n" + node), ids(many));
    }
    assertEquals(OpenQuestions.MOST_WAITING, questions.count());
  }
}
