package dev.rollcall.agent.login.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.agent.event.ChoiceResult;
import dev.rollcall.agent.event.JobChosen;
import dev.rollcall.model.JobId;
import dev.rollcall.port.Jobs.JobSpec;
import dev.rollcall.testkit.jobs.InMemoryJobs;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JobChoicesTest {
  private static final int ALICE = 2001;
  private static final int BOB = 2002;

  private final InMemoryJobs jobs = new InMemoryJobs();
  private final JobChoices choices = new JobChoices(jobs);

  @BeforeEach
  void begin() {
    jobs.begin(new JobSpec(new JobId(41), ALICE, ALICE, Instant.EPOCH));
    jobs.begin(new JobSpec(new JobId(50), BOB, BOB, Instant.EPOCH));
  }

  private ChoiceResult choose(int uid, long job) {
    return choices.choose(new JobChosen(uid, Optional.of(new JobId(job))));
  }

  /** Else the answer would say whether another user's job is here. */
  @Test
  void anothersJobIsAnsweredLikeOneThatDoesNotExist() {
    assertEquals(new ChoiceResult.NoSuchJob(), choose(ALICE, 999));
    assertEquals(new ChoiceResult.NoSuchJob(), choose(ALICE, 50));
    assertEquals(Optional.empty(), choices.of(ALICE));
  }

  @Test
  void aChoiceIsKeptUntilItIsTakenBack() {
    assertEquals(new ChoiceResult.Kept(jobs.list().getFirst()), choose(ALICE, 41));
    assertEquals(Optional.of(new JobId(41)), choices.of(ALICE));
    assertEquals(new ChoiceResult.NoSuchJob(), choose(ALICE, 50));
    assertEquals(Optional.of(new JobId(41)), choices.of(ALICE));
    assertEquals(
        new ChoiceResult.TakenBack(), choices.choose(new JobChosen(ALICE, Optional.empty())));
    assertEquals(Optional.empty(), choices.of(ALICE));
  }
}
