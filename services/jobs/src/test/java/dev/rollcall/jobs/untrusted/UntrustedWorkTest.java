package dev.rollcall.jobs.untrusted;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class UntrustedWorkTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final int MANY = 100_000;

  private final UntrustedWork work = new UntrustedWork("terminals", "users may miss a message");
  private final CountDownLatch answers = new CountDownLatch(1);

  private static Job job(int id) {
    return job(id, 1001);
  }

  private static Job job(int id, int uid) {
    return new Job(new JobId(id), uid, uid, Instant.EPOCH, JobState.OPEN);
  }

  private String hang() throws InterruptedException {
    answers.await();
    return "answered";
  }

  @Test
  void nobodyWaitsForWhatHangsAndTheNextOfItsJobIsLeftOut() throws Exception {
    assertEquals(Optional.empty(), work.within(job(1), Duration.ofMillis(50), this::hang));
    assertEquals(Optional.empty(), work.within(job(1), LONG, () -> "second"));
    assertEquals(Optional.of("other"), work.within(job(2), LONG, () -> "other"));
    answers.countDown();
    Optional<String> again = Optional.empty();
    for (int each = 0; each < 2_000 && again.isEmpty(); each++) {
      TimeUnit.MILLISECONDS.sleep(10);
      again = work.within(job(1), LONG, () -> "again");
    }
    assertEquals(Optional.of("again"), again);
  }

  /** As two incidents of a job at the same moment: both are on the terminal, in order. */
  @Test
  void whatComesWhileItsJobsThreadIsBusyIsDoneAfterwards() throws Exception {
    List<CompletableFuture<Optional<Integer>>> begun = new ArrayList<>();
    List<Integer> done = new ArrayList<>();
    var first = work.begin(job(1), this::hang);
    for (int each = 0; each < UntrustedWork.MOST_WAITING; each++) {
      int number = each;
      begun.add(
          work.begin(
              job(1),
              () -> {
                done.add(number);
                return number;
              }));
    }
    assertEquals(Optional.empty(), work.begin(job(1), () -> "one more").get());
    answers.countDown();
    assertEquals(Optional.of("answered"), first.get(20, TimeUnit.SECONDS));
    begun.getLast().get(20, TimeUnit.SECONDS);
    assertEquals(UntrustedWork.MOST_WAITING, done.size());
    assertEquals(done.stream().sorted().toList(), done);
  }

  /** Each piece is there before the one before it has ended. */
  @Test
  void aJobsThreadDoesAnyNumberOfPiecesOneAfterTheOther() throws Exception {
    var all = new CompletableFuture<Integer>();
    begin(1, all);
    assertEquals(MANY, all.get(20, TimeUnit.SECONDS));
  }

  private void begin(int number, CompletableFuture<Integer> all) {
    var _ =
        work.begin(
            job(1),
            () -> {
              if (number < MANY) {
                begin(number + 1, all);
              } else {
                all.complete(number);
              }
              return number;
            });
  }

  @Test
  void soManyHangAndNoMore() throws Exception {
    List<CompletableFuture<Optional<String>>> hanging = new ArrayList<>();
    for (int job = 1; job <= UntrustedWork.MOST; job++) {
      hanging.add(work.begin(job(job, job), this::hang));
    }
    assertEquals(Optional.empty(), work.within(job(99), LONG, () -> "one more"));
    answers.countDown();
    for (var each : hanging) {
      assertEquals(Optional.of("answered"), each.get(20, TimeUnit.SECONDS));
    }
    assertEquals(Optional.of("free"), work.within(job(99), LONG, () -> "free"));
  }

  @Test
  void whatHangsInAllJobsOfOneUserKeepsNoOtherUserOut() {
    for (int job = 1; job <= UntrustedWork.MOST; job++) {
      var _ = work.begin(job(job), this::hang);
    }
    assertEquals(Optional.of("other"), work.within(job(99, 1002), LONG, () -> "other"));
    answers.countDown();
  }

  @Test
  void whatFailsGivesNothingAndItsThreadBack() {
    assertEquals(
        Optional.empty(),
        work.within(
            job(1),
            LONG,
            () -> {
              throw new IOException("gone");
            }));
    assertEquals(Optional.of("next"), work.within(job(1), LONG, () -> "next"));
  }
}
