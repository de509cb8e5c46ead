package dev.rollcall.jobs.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.container.Removals.Progress;
import dev.rollcall.jobs.container.Removals.Stuck;
import dev.rollcall.linux.files.TreeRemoval.Left;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RemovalQueueTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant DUE = NOW.plus(RemovalQueue.AGAIN);
  private static final Path A = Path.of("/base/.rollcall-n1/gone-1-1");
  private static final Path B = Path.of("/base/.rollcall-n1/gone-2-1");

  private final RemovalQueue queue = new RemovalQueue();

  private static Stuck stuck(Path tree) {
    return new Stuck(tree, List.of(new Left("a", "something is mounted there")), 1);
  }

  @Test
  void treesComeInTheirOrderAndOnce() {
    queue.add(A);
    queue.add(B);
    queue.add(A);
    assertEquals(2, queue.progress(0).waiting());
    assertEquals(Optional.of(A), queue.next(NOW));
    assertEquals(2, queue.progress(0).waiting());
    assertTrue(queue.othersWait());
    assertFalse(queue.gone(A));
    assertEquals(Optional.of(B), queue.next(NOW));
    assertFalse(queue.othersWait());
    queue.gone(B);
    assertEquals(Optional.empty(), queue.next(NOW));
    assertEquals(new Progress(0, 7, List.of()), queue.progress(7));
  }

  @Test
  void anotherThatGotTheNameOfTheOneAtWorkIsNotForgotten() {
    queue.add(A);
    assertEquals(Optional.of(A), queue.next(NOW));
    queue.add(A);
    queue.gone(A);
    assertEquals(Optional.of(A), queue.next(NOW));
  }

  @Test
  void whatWasBegunGoesOnAfterTheOthers() {
    queue.add(A);
    queue.add(B);
    queue.next(NOW);
    queue.putOff(A);
    assertEquals(Optional.of(B), queue.next(NOW));
    queue.gone(B);
    assertEquals(Optional.of(A), queue.next(NOW));
  }

  @Test
  void whatIsStuckIsTriedAgainWhenItIsDue() {
    queue.add(A);
    queue.next(NOW);
    assertTrue(queue.stuck(stuck(A), NOW));
    assertEquals(new Progress(0, 0, List.of(stuck(A))), queue.progress(0));
    queue.add(A);
    assertEquals(Optional.empty(), queue.next(DUE.minusMillis(1)));
    assertEquals(Optional.of(A), queue.next(DUE));
    assertEquals(new Progress(0, 0, List.of(stuck(A))), queue.progress(0));
    assertFalse(queue.stuck(stuck(A), DUE), "it was known");
    assertEquals(Optional.empty(), queue.next(DUE));
    assertEquals(Optional.of(A), queue.next(DUE.plus(RemovalQueue.AGAIN)));
    assertTrue(queue.gone(A));
    assertEquals(new Progress(0, 0, List.of()), queue.progress(0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT1H", "PT-1H", "P365D", "P-365D"})
  void aClockThatIsSteppedHoldsUpNothing(Duration step) {
    queue.add(A);
    queue.next(NOW);
    queue.stuck(stuck(A), NOW);
    Instant now = NOW.plus(step);
    assertEquals(Optional.of(A), queue.next(now));
    queue.stuck(stuck(A), now);
    assertEquals(Optional.empty(), queue.next(now), "not without end");
    assertEquals(Optional.of(A), queue.next(now.plus(RemovalQueue.AGAIN)));
  }

  @Test
  void newTreesComeBeforeThoseThatAreStuck() {
    queue.add(A);
    queue.next(NOW);
    queue.stuck(stuck(A), NOW);
    queue.add(B);
    assertEquals(Optional.of(B), queue.next(DUE));
    queue.gone(B);
    assertEquals(Optional.of(A), queue.next(DUE));
  }

  @Test
  void whatIsTriedAgainAndPutOffIsNotCountedTwice() {
    queue.add(A);
    queue.next(NOW);
    queue.stuck(stuck(A), NOW);
    queue.next(DUE);
    queue.putOff(A);
    assertEquals(0, queue.progress(0).waiting());
    assertEquals(Optional.of(A), queue.next(DUE));
    assertTrue(queue.gone(A));
    assertEquals(Optional.empty(), queue.next(DUE));
  }

  @Test
  void whoWaitsIsSentAwayAtTheEnd() throws InterruptedException {
    queue.add(A);
    assertEquals(Optional.of(A), queue.await(() -> NOW));
    queue.stop();
    assertEquals(Optional.empty(), queue.await(() -> NOW));
    assertTrue(queue.stopped());
  }

  @Test
  void whatIsStuckIsToldInOneLine() {
    assertEquals(A + ": 1 left: a: something is mounted there", stuck(A).toString());
  }
}
