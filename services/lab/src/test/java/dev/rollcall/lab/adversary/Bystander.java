package dev.rollcall.lab.adversary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.OpenJobs;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.scenario.HeldSession;
import dev.rollcall.lab.scenario.Storm;
import java.time.Duration;
import java.util.Map;

/**
 * Bob, who works while somebody attacks. He has two jobs on node1 and node2: a session of his
 * enters the older only if the truth about its caller is known, as it would be the newer otherwise.
 */
public record Bystander(Stage stage, OpenJobs jobs, HeldSession session) implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofMinutes(10);
  private static final int LOGINS = 3;

  public static Bystander of(Stage stage) {
    OpenJobs jobs = stage.begin(2, User.BOB, stage.node1(), stage.node2());
    try {
      return new Bystander(stage, jobs, HeldSession.open(stage, User.BOB, jobs.oldest()));
    } catch (RuntimeException e) {
      jobs.close();
      throw e;
    }
  }

  /**
   * His logins enter the job that he calls from, and what is known of his calls has not changed.
   */
  public void noticesNothing() {
    logsIn(LOGINS);
    answersStay();
  }

  public void logsIn(int times) {
    assertEquals(
        Map.of("job " + jobs.oldest(), (long) times),
        Storm.from(stage, User.BOB, jobs.oldest(), times).arrivals(DEADLINE),
        stage.cluster()::logs);
  }

  /** So many logins, one after the other; how many of them were let in at their first try. */
  public long letInAtOnce(int times) {
    return Storm.oneByOne(stage, User.BOB, jobs.oldest(), times)
        .arrivals(DEADLINE)
        .values()
        .stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  public void answersStay() {
    assertTrue(session.sessionIsAlive(), "bob's session was ended");
    assertEquals("job " + jobs.oldest(), session.place());
    var answer = stage.agents().identify(stage.node2(), session.connection());
    assertEquals(jobs.oldest(), answer.getFound().getJob().getJobId(), answer::toString);
    assertEquals(User.BOB.uid(), answer.getFound().getUid(), answer::toString);
  }

  @Override
  public void close() {
    session.close();
    jobs.close();
  }
}
