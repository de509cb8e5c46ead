package dev.rollcall.gateway.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.gateway.work.Workers;
import dev.rollcall.proto.roll.v1.JobsQuestion;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.BadWordException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class BatchQuestionsTest {
  private static final Duration SELDOM = Duration.ofHours(1);
  private static final Duration ALWAYS = Duration.ofNanos(1);
  private static final Logger LOGGER = Logger.getLogger(BatchQuestions.class.getName());

  private final Workers workers = new Workers(10);
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Said said = new Said();
  private final NotingStream first = new NotingStream();
  private final NotingStream second = new NotingStream();

  @TempDir Path directory = Path.of("unset");

  /** What the log was told. */
  private static final class Said extends Handler {
    private final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    public void publish(LogRecord record) {
      lines.add(record.getLevel() + " " + new SimpleFormatter().formatMessage(record));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @BeforeEach
  void listen() {
    LOGGER.addHandler(said);
  }

  @AfterEach
  void close() {
    LOGGER.removeHandler(said);
    workers.close();
  }

  private BatchQuestions questions(Script script, Duration every) {
    return new BatchQuestions(Optional.of(script.file()), every, workers, registry);
  }

  private static JobsQuestion jobs(long... ids) {
    var question = JobsQuestion.newBuilder();
    for (long id : ids) {
      question.addJobIds(id);
    }
    return question.build();
  }

  private double runs(String outcome) {
    return registry.counter("rollcall.gateway.squeue.runs", "outcome", outcome).count();
  }

  @Test
  void twoNodesThatAskCostOneRun() throws IOException {
    Script script = Script.in(directory, Script.TWO_JOBS);
    var questions = questions(script, SELDOM);
    questions.asked(first.node("a"), jobs(41, 99));
    questions.asked(second.node("b"), jobs(42, 41));
    questions.tick();
    Await.until("both are told", () -> second.jobs().size() == 2 && first.jobs().size() == 1);
    assertEquals(List.of(41L), first.jobs());
    var third = new NotingStream();
    questions.asked(third.node("c"), jobs(42));
    assertEquals(List.of(42L), third.jobs(), "at once");
    questions.tick();
    assertEquals(1, script.runs());
    assertEquals(1, runs("answered"));
    assertEquals(4, registry.counter("rollcall.gateway.facts.sent").count());
    assertEquals(1, registry.get("rollcall.gateway.facts.waiting").gauge().value());
  }

  @Test
  void aFailureIsAWarningOnceAndIsOverWhenItAnswers() throws IOException {
    Script script = Script.in(directory, "echo $$ is away >&2; exit 1");
    var questions = questions(script, ALWAYS);
    questions.asked(first.node("a"), jobs(41));
    untilRuns(questions, "failed", 3);
    assertEquals(1, said.lines.size(), said.lines.toString());
    String warning = said.lines.getFirst();
    assertTrue(warning.startsWith("WARNING " + script.file() + ": it exited with 1: "), warning);
    script.become("echo what");
    untilRuns(questions, "failed", runs("failed") + 2);
    assertEquals(2, said.lines.size(), said.lines.toString());
    assertEquals(List.of(), first.jobs());
    script.become(Script.TWO_JOBS);
    untilRuns(questions, "answered", 1);
    Await.until("it is told", () -> first.jobs().equals(List.of(41L)));
    assertEquals("INFO " + script.file() + " answers again", said.lines.getLast());
  }

  private void untilRuns(BatchQuestions questions, String outcome, double count) {
    Await.until(
        count + " runs " + outcome,
        () -> {
          questions.tick();
          return runs(outcome) >= count;
        });
  }

  @Test
  void aNodeThatLeftIsNotAskedFor() throws IOException {
    Script script = Script.in(directory, Script.TWO_JOBS);
    var questions = questions(script, SELDOM);
    var node = first.node("a");
    questions.asked(node, jobs(41));
    questions.left(node);
    questions.tick();
    assertEquals(0, workers.underWay());
    assertEquals(0, script.runs());
  }

  @Test
  void withoutAProgramNobodyIsAsked() {
    var questions = new BatchQuestions(Optional.empty(), ALWAYS, workers, registry);
    questions.asked(first.node("a"), jobs(41));
    questions.tick();
    assertEquals(0, workers.underWay());
    assertEquals(0, registry.get("rollcall.gateway.facts.waiting").gauge().value());
  }

  @Test
  void anIdThatIsNoneIsNamed() throws IOException {
    var questions = questions(Script.in(directory, ""), SELDOM);
    var failure =
        assertThrows(BadWordException.class, () -> questions.asked(first.node("a"), jobs(1, 0)));
    assertTrue(
        String.valueOf(failure.getMessage()).startsWith("jobs_question.job_ids[1]"),
        failure.getMessage());
  }
}
