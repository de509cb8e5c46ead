package dev.rollcall.agent.login.adopt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.rollcall.agent.TestNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class IdleWorkTest {
  private static final Duration A_LITTLE = Duration.ofMillis(1);

  private final AtomicLong nanos = new AtomicLong();
  private final BlockingQueue<String> done = new LinkedBlockingQueue<>();
  private TestNode node;
  private IdleWork afterwards;

  @BeforeEach
  void start() throws IOException {
    node = new TestNode();
    afterwards = new IdleWork(node.vertx, nanos::get);
  }

  @AfterEach
  void stop() throws IOException {
    node.close();
  }

  private void leave(String work) {
    node.onLoop(() -> {
      afterwards.leave(() -> done.add(work));
      return true;
    });
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private String next() throws InterruptedException {
    return done.poll(20, TimeUnit.SECONDS);
  }

  /** Longer than a lull is by the real clock, of which the timers are. */
  private void assertNothingIsDone() throws InterruptedException {
    assertNull(done.poll(3 * IdleWork.IDLE.toMillis(), TimeUnit.MILLISECONDS));
  }

  @Test
  void theLoginsOfARowHaveTheEventLoopForThemselves() throws InterruptedException {
    leave("first");
    pass(IdleWork.IDLE.minus(A_LITTLE));
    leave("second");
    pass(IdleWork.IDLE.minus(A_LITTLE));
    assertNothingIsDone();
    pass(A_LITTLE);
    assertEquals(List.of("first", "second"), List.of(next(), next()));
  }

  @Test
  void whatHasWaitedLongIsDoneThoughLoginsComeWithoutEnd() throws InterruptedException {
    leave("first");
    pass(IdleWork.LONGEST.minus(A_LITTLE));
    leave("second");
    assertNothingIsDone();
    pass(A_LITTLE);
    assertEquals("first", next());
    assertNothingIsDone();
    pass(IdleWork.IDLE);
    assertEquals("second", next());
  }

  @Test
  void moreThanIsDoneAtATimeIsDoneInItsOrder() throws InterruptedException {
    for (int each = 0; each < 20; each++) {
      leave("work " + each);
    }
    pass(IdleWork.IDLE);
    for (int each = 0; each < 20; each++) {
      assertEquals("work " + each, next());
    }
    leave("later");
    pass(IdleWork.IDLE);
    assertEquals("later", next());
  }

  @Test
  void whatFailsKeepsNothingElseFromBeingDone() throws InterruptedException {
    node.onLoop(() -> {
      afterwards.leave(() -> {
        throw new IllegalStateException("as the test wants it");
      });
      return true;
    });
    leave("beside it");
    pass(IdleWork.IDLE);
    assertEquals("beside it", next());
    leave("later");
    pass(IdleWork.IDLE);
    assertEquals("later", next());
  }

  @Test
  void anEndDoesAllThatIsLeftAtOnce() {
    leave("first");
    leave("second");
    node.onLoop(() -> {
      afterwards.finish();
      return true;
    });
    assertEquals(List.of("first", "second"), List.copyOf(done));
  }
}
