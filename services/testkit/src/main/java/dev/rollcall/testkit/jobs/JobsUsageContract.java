package dev.rollcall.testkit.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.Job;
import dev.rollcall.model.usage.Measure;
import dev.rollcall.model.usage.MeasureDepth;
import dev.rollcall.model.usage.UsageRecord;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.Jobs.EndResult;
import dev.rollcall.port.Jobs.StepResult;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.testkit.process.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Tests the usage that every provider of jobs reports. */
public abstract class JobsUsageContract extends JobsUnderTest {
  private static final Duration A_SECOND_ACCOUNT_WITHIN = Duration.ofMillis(50);

  private List<UsageRecord> recorded() {
    List<UsageRecord> heard = Collections.synchronizedList(new ArrayList<>());
    jobs()
        .listen(
            new Jobs.Listener() {
              @Override
              public void changed(Job job) {}

              @Override
              public void recorded(UsageRecord record) {
                heard.add(record);
              }
            });
    return heard;
  }

  private static String what(UsageRecord record) {
    return record.kind()
        + record.step().map(step -> " " + step).orElse("")
        + (record.session().isPresent() ? " session" : "")
        + (record.ended().isPresent() ? " ended" : "");
  }

  private static List<String> what(List<UsageRecord> records) {
    return records.stream().map(JobsUsageContract::what).toList();
  }

  @Test
  void theUsageOfAJobIsItsOwnItsStepsAndItsSessions() {
    assertEquals(List.of(), jobs().usage(JOB));
    begin(JOB);
    jobs().beginStep(JOB, Optional.empty());
    adopt(start(), JOB);
    List<UsageRecord> usage = jobs().usage(JOB);
    assertEquals(List.of("JOB", "STEP extern", "STEP 0", "SESSION extern session"), what(usage));
    for (UsageRecord record : usage) {
      assertEquals(JOB, record.job());
      assertEquals(ALICE, record.uid());
    }
    assertEquals(NOON, usage.getFirst().began());
    assertEquals(1, usage.getFirst().usage().processesNow().orElseThrow());
    assertEquals(1, usage.getLast().usage().processesNow().orElseThrow());
  }

  @Test
  void jobsStepsAndSessionsAreMeasuredAsDeepAsIsWanted() {
    begin(JOB);
    jobs().beginStep(JOB, Optional.empty());
    adopt(start(), JOB);
    Set<String> steps = Set.of("", "extern", "0");
    assertEquals(Set.of(""), measured(MeasureDepth.JOBS));
    assertEquals(steps, measured(MeasureDepth.STEPS));
    var all = new HashSet<>(steps);
    all.add("extern session " + jobs().usage(JOB).getLast().session().orElseThrow());
    assertEquals(all, measured(MeasureDepth.SESSIONS));
  }

  /** The steps and sessions of the job, which is the empty word. */
  private Set<String> measured(MeasureDepth depth) {
    var found = new HashSet<String>();
    jobs()
        .measure(
            jobs().list().getFirst(),
            depth,
            each -> {
              assertEquals(JOB, each.job());
              assertTrue(each.measures().get(Measure.CPU_USER).isPresent());
              OptionalLong session = each.session();
              String step = each.step().map(Object::toString).orElse("");
              found.add(step + (session.isPresent() ? " session " + session.getAsLong() : ""));
            });
    return found;
  }

  @Test
  void closingASessionGivesItsAccountSoFar() {
    begin(JOB);
    PinnedProcess process = start();
    adopt(process, JOB);
    UsageRecord record = jobs().closing(process).flatMap(Jobs.ClosingSession::close).orElseThrow();
    assertEquals("SESSION extern session", what(record));
    assertEquals(jobs().usage(JOB).getLast().session(), record.session());
  }

  @Test
  void closingWhatIsNoSessionGivesNoAccount() {
    begin(JOB);
    PinnedProcess process = start();
    assertEquals(Optional.empty(), jobs().closing(process).flatMap(Jobs.ClosingSession::close));
    StepResult.Made made =
        assertInstanceOf(StepResult.Made.class, jobs().beginStep(JOB, Optional.empty()));
    enter(process, made);
    assertEquals(Optional.empty(), jobs().closing(process).flatMap(Jobs.ClosingSession::close));
  }

  /** Whoever looks at a job while a login is at it leaves the accounts to others. */
  private void awaitRecords(List<UsageRecord> heard, int least) {
    Await.until(
        "the session that is over has its account",
        () -> {
          jobs().processes(JOB);
          return heard.size() >= least;
        });
  }

  @Test
  void aSessionIsRecordedOnceWhenItsProcessesAreGone() {
    List<UsageRecord> heard = recorded();
    begin(JOB);
    PinnedProcess process = start();
    adopt(process, JOB);
    var _ = jobs().closing(process).flatMap(Jobs.ClosingSession::close);
    jobs().processes(JOB);
    assertEquals(List.of(), what(heard));
    finish(process);
    awaitRecords(heard, 1);
    jobs().processes(JOB);
    assertEquals(List.of("SESSION extern session ended"), what(heard));
    assertEquals(List.of("JOB", "STEP extern"), what(jobs().usage(JOB)));
  }

  /** Whoever looks after the session's end, and whoever logs in then, each may find it. */
  @Test
  void aSessionIsRecordedOnceThoughOthersComeAfterIt() {
    List<UsageRecord> heard = recorded();
    begin(JOB);
    for (int each = 1; each <= 3; each++) {
      PinnedProcess process = start();
      adopt(process, JOB);
      finish(process);
      awaitRecords(heard, each);
      adopt(start(), JOB);
      LockSupport.parkNanos(A_SECOND_ACCOUNT_WITHIN.toNanos());
      assertEquals(Collections.nCopies(each, "SESSION extern session ended"), what(heard));
    }
  }

  @Test
  void theEndOfAJobRecordsItsSessionsItsStepsAndItselfOnce() {
    List<UsageRecord> heard = recorded();
    begin(JOB);
    adopt(start(), JOB);
    PinnedProcess over = start();
    adopt(over, JOB);
    finish(over);
    awaitRecords(heard, 1);
    jobs().beginStep(JOB, Optional.empty());
    assertInstanceOf(EndResult.Clean.class, jobs().end(JOB, WAIT));
    jobs().end(JOB, WAIT);
    List<String> sorted = heard.stream().map(JobsUsageContract::what).sorted().toList();
    assertEquals(
        List.of(
            "JOB ended",
            "SESSION extern session ended",
            "SESSION extern session ended",
            "STEP 0 ended",
            "STEP extern ended"),
        sorted);
    assertEquals("JOB ended", what(heard.getLast()));
    assertNotEquals(heard.getFirst().session(), heard.get(1).session());
    assertEquals(List.of(), jobs().usage(JOB));
  }
}
