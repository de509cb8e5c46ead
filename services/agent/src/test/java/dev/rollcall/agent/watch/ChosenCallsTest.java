package dev.rollcall.agent.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.event.CallChosen;
import dev.rollcall.model.JobId;
import dev.rollcall.model.ProcessRef;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** For which jobs processes say that they call. */
class ChosenCallsTest {
  private static final ProcessRef SSH = new ProcessRef(70, 7);

  private final AtomicLong now = new AtomicLong(-5);
  private final ChosenCalls chosen = new ChosenCalls(now::get);

  private void choose(ProcessRef process, int uid, long job) {
    var choice = new CallChosen(process, uid, new JobId(job));
    assertEquals(choice, chosen.choose(choice));
  }

  private Optional<Long> of(ProcessRef process, int uid) {
    return chosen.of(process, uid).map(JobId::number);
  }

  @Test
  void theLastChoiceOfAProcessIsGoodForFiveMinutes() {
    choose(SSH, TestNode.ALICE, 41);
    choose(SSH, TestNode.ALICE, 42);
    assertEquals(Optional.of(42L), of(SSH, TestNode.ALICE));
    now.addAndGet(ChosenCalls.GOOD_FOR.toNanos());
    assertEquals(Optional.of(42L), of(SSH, TestNode.ALICE));
    now.incrementAndGet();
    assertEquals(Optional.empty(), of(SSH, TestNode.ALICE));
  }

  @Test
  void anotherProcessWithThatPidHasMadeNoChoiceAndNeitherHasAnotherUser() {
    choose(SSH, TestNode.ALICE, 41);
    assertEquals(Optional.empty(), of(new ProcessRef(70, 8), TestNode.ALICE));
    assertEquals(Optional.empty(), of(new ProcessRef(71, 7), TestNode.ALICE));
    assertEquals(Optional.empty(), of(SSH, TestNode.BOB));
  }

  @Test
  void whoChoosesWithoutEndLosesTheirOwnOldestChoicesAlone() {
    choose(SSH, TestNode.BOB, 50);
    IntStream.range(0, 1_000)
        .forEach(pid -> choose(new ProcessRef(1_000 + pid, 1), TestNode.ALICE, 41));
    assertEquals(Optional.of(50L), of(SSH, TestNode.BOB));
    assertEquals(
        ChosenCalls.MOST_OF_A_USER,
        IntStream.range(0, 1_000)
            .filter(pid -> of(new ProcessRef(1_000 + pid, 1), TestNode.ALICE).isPresent())
            .count());
    assertEquals(Optional.of(41L), of(new ProcessRef(1_999, 1), TestNode.ALICE));
  }

  @Test
  void thereAreNotMoreOfThemThanIsSaid() {
    IntStream.range(0, ChosenCalls.MOST + 10)
        .forEach(each -> choose(new ProcessRef(1 + each, 1), 10_000 + each, 41));
    assertEquals(Optional.empty(), of(new ProcessRef(10, 1), 10_009));
    assertEquals(Optional.of(41L), of(new ProcessRef(11, 1), 10_010));
  }
}
