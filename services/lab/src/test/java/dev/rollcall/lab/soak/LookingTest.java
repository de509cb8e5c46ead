package dev.rollcall.lab.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What looks at processes, holdings and the roll, each with something planted. */
class LookingTest {
  private static final String TREE = "0::/unified/rollcall-0a1b2c3d/node2/";
  private static final String INSIDE = TREE + "rollcall.scope/job_7/step_extern/user/session_1\n";

  private final JobBook book = new JobBook();

  private String rule(String cgroup, long now) {
    Optional<Marked> process = Marked.of(42, "rollcall-soak-job-7\0" + "9.000\0", cgroup);
    return process.flatMap(one -> one.violation(book, now)).map(Violation::rule).orElse("");
  }

  @Test
  void aProcessThatIsMovedOutOfItsJobIsSeen() {
    assertEquals("", rule("12:freezer:/\n" + INSIDE, 100));
    assertEquals("escaped", rule(TREE + "sshd\n", 100));
    assertEquals("escaped", rule(INSIDE.replace("job_7", "job_71"), 100));
    assertEquals("escaped", rule(TREE + "exec/rollcall.scope/job_7/x\n", 100));
  }

  @Test
  void aProcessThatOutlivesItsJobIsSeen() {
    book.asksToBegin(NodeAddress.NODE2, 7, User.ALICE, 0);
    book.begun(NodeAddress.NODE2, 7, 10);
    assertEquals("", rule(INSIDE, 1_000));
    book.asksToEnd(NodeAddress.NODE2, 7, 2_000);
    assertEquals("", rule(INSIDE, 2_500));
    book.ended(NodeAddress.NODE2, 7, 3_000);
    assertEquals("outlives", rule(INSIDE, 3_001));
  }

  @Test
  void othersProcessesAreNotLookedAt() {
    assertEquals(Optional.empty(), Marked.of(42, "sleep\0" + "9\0", INSIDE));
    assertEquals(Optional.empty(), Marked.of(42, "rollcall-soak-job-7\0", "0::/\n"));
  }

  @Test
  void eachThingThatLeaksIsTold() {
    var before = new Holdings("node1", 0, 3, 30, 60, 5);
    assertEquals(List.of(), before.leaks(before, 9));
    var after = new Holdings("node1", 1, 4, 31, 60 + Holdings.DESCRIPTORS_MORE + 1, 6);
    assertEquals(
        List.of(
            "at most 0 cgroups of jobs",
            "at most 3 processes",
            "at most 30 mounts",
            "at most 84 descriptors",
            "at most 5 BPF objects"),
        after.leaks(before, 9).stream().map(Violation::expected).toList());
  }

  @Test
  void aRollThatDiffersIsTold() {
    Map<String, Set<Long>> nodes = Map.of("node1", Set.of(1L, 2L), "node2", Set.of());
    assertEquals("", Agreement.differences(nodes, Map.of("node1", Set.of(2L, 1L))));
    assertEquals(
        "{node1=has [1, 2], the roll says [2]}",
        Agreement.differences(nodes, Map.of("node1", Set.of(2L))));
    assertEquals(
        "{node9=has [], the roll says [3]}",
        Agreement.differences(Map.of(), Map.of("node9", Set.of(3L))));
  }
}
