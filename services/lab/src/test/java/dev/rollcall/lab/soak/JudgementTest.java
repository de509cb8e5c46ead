package dev.rollcall.lab.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.soak.Judgement.Seen;
import dev.rollcall.lab.soak.Planned.Login;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each rule is broken once, and must be seen; and what is allowed must not be told. */
class JudgementTest {
  private static final NodeAddress NODE = NodeAddress.NODE2;

  private final JobBook book = new JobBook();
  private final Judgement judgement = new Judgement(book, 30_000);

  /** Jobs 1 and 2 of alice and 3 of bob are on the node from 0 to 10 s. */
  @BeforeEach
  void beginJobs() {
    for (long job = 1; job <= 3; job++) {
      book.asksToBegin(NODE, job, job == 3 ? User.BOB : User.ALICE, 0);
      book.begun(NODE, job, 10);
      book.asksToEnd(NODE, job, 10_000);
      book.ended(NODE, job, 10_100);
    }
  }

  private static Login login(@Nullable Long job) {
    return new Login(
        Duration.ZERO,
        1,
        User.ALICE,
        Optional.ofNullable(job),
        NodeAddress.NODE1,
        NODE,
        Duration.ZERO);
  }

  private String rule(@Nullable Long job, Seen seen, long began, long told, boolean troubled) {
    return judgement.of(login(job), seen, began, told, troubled).map(Violation::rule).orElse("");
  }

  private String placed(@Nullable Long job, String place, long began, long told) {
    return rule(job, new Seen.Inside(place), began, told, true);
  }

  @Test
  void aSessionFromAJobIsInThatJob() {
    assertEquals("", placed(1L, "job 1", 100, 200));
    assertEquals("job", placed(1L, "job 2", 100, 200));
    assertEquals("job", placed(1L, "job 3", 100, 200));
    assertEquals("job", placed(1L, "job 9", 100, 200));
    assertEquals("job", placed(1L, "in 'sshd'", 100, 200));
  }

  @Test
  void nobodyEntersAJobThatHasEnded() {
    assertEquals("job", placed(1L, "job 1", 10_200, 10_300));
  }

  @Test
  void whileAJobBeginsOrEndsAnotherOfTheUsersIsRightToo() {
    assertEquals("", placed(1L, "job 2", 9_900, 10_050));
    assertEquals("job", placed(1L, "job 3", 9_900, 10_050));
  }

  @Test
  void aSessionFromOutsideIsRefusedWhereThereAreSeveralJobs() {
    assertEquals("job", placed(null, "job 2", 100, 200));
    book.asksToEnd(NODE, 1, 50);
    book.ended(NODE, 1, 90);
    assertEquals("", placed(null, "job 2", 100, 200));
  }

  @Test
  void aRefusalHasAReason() {
    assertEquals("", rule(1L, new Seen.Refused("no active jobs"), 100, 200, false));
    assertEquals("reason", rule(1L, new Seen.Refused(" "), 100, 200, false));
  }

  @Test
  void whoHasOneJobAllTheWhileIsNotRefused() {
    book.asksToEnd(NODE, 1, 50);
    assertEquals("", rule(null, new Seen.Refused("try again"), 60, 80, true));
    book.ended(NODE, 1, 90);
    assertEquals("refused", rule(null, new Seen.Refused("try again"), 100, 200, true));
    assertEquals("", rule(null, new Seen.Refused("try again"), 9_900, 10_050, true));
  }

  @Test
  void whatDoesNotArriveIsExplainedByAFault() {
    assertEquals("reached", rule(1L, new Seen.NotReached("closed"), 100, 200, false));
    assertEquals("", rule(1L, new Seen.NotReached("closed"), 100, 200, true));
  }

  @Test
  void nothingExplainsALoginThatHangs() {
    assertEquals("deadline", placed(1L, "job 1", 100, 30_101));
    assertEquals("deadline", rule(1L, new Seen.NotReached("closed"), 100, 30_101, true));
  }

  /** Whoever is hostile ends no agent and no gateway: only the plan's faults do. */
  @Test
  void aProcessOfRollcallThatEndsOutsideOfThePlanIsSeen() {
    var before = new Life("agent of node1", 42, true);
    assertEquals("", lives(before, before, false));
    assertEquals("lives", lives(before, new Life("agent of node1", 42, false), false));
    assertEquals("lives", lives(before, new Life("agent of node1", 43, true), false));
    assertEquals("", lives(before, new Life("agent of node1", 43, true), true));
  }

  private static String lives(Life before, Life now, boolean isPlanned) {
    return now.violation(before, isPlanned, 100).map(Violation::rule).orElse("");
  }

  @Test
  void ofWhatSshPrintsOnlyPamsWordsAreAReason() {
    assertEquals(
        "you have no active jobs on this node",
        LoginWork.reason(
            "you have no active jobs on this node\nConnection closed by 10.77.1.11 port 22"));
    assertEquals("", LoginWork.reason("ssh: connect to host node2 port 22: Connection timed out"));
  }
}
