package dev.rollcall.agent.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.JobId;
import dev.rollcall.port.Jobs.EndInSteps;
import dev.rollcall.port.Jobs.EndResult;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class LongOrdersTest {
  private final LongOrders orders = new LongOrders(job -> (int) job.number());

  private static <R> R await(Future<R> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  @Test
  void orderForOneJobThatHangsKeepsNoOtherJobWaiting() throws Exception {
    var free = new CountDownLatch(1);
    List<Future<String>> hanging = new ArrayList<>();
    for (long job = 1; job <= 64; job++) {
      hanging.add(orders.run(new JobId(job), () -> afterwards(free)));
    }
    assertEquals("other", await(orders.run(new JobId(99), () -> "other")));
    free.countDown();
    for (Future<String> each : hanging) {
      assertEquals("at last", await(each));
    }
  }

  private static String afterwards(CountDownLatch free) {
    try {
      free.await();
      return "at last";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  @Test
  void tooManyOrdersForOneJobAreRefusedAndTheOthersAreNot() throws Exception {
    var free = new CountDownLatch(1);
    List<Future<String>> waiting = new ArrayList<>();
    for (int each = 0; each < LongOrders.MOST_OF_A_JOB; each++) {
      waiting.add(orders.run(new JobId(1), () -> afterwards(free)));
    }
    StatusRuntimeException refused =
        assertThrows(
            StatusRuntimeException.class, () -> orders.run(new JobId(1), () -> "one more"));
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, refused.getStatus().getCode());
    assertEquals("other", await(orders.run(new JobId(2), () -> "other")));
    free.countDown();
    for (Future<String> each : waiting) {
      assertEquals("at last", await(each));
    }
    assertEquals("again", await(orders.run(new JobId(1), () -> "again")));
  }

  @Test
  void threadsThatCannotBeMadeAreSaidAndLeaveNoOrderCounted() throws Exception {
    var limited = new AtomicBoolean(true);
    var few =
        new LongOrders(
            _ -> 1001,
            work -> {
              if (limited.get()) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              return Thread.ofPlatform().daemon().unstarted(work);
            });
    for (int each = 0; each <= LongOrders.MOST_OF_A_JOB; each++) {
      assertEquals(
          Status.Code.UNAVAILABLE, codeOf(few.run(new JobId(1), () -> "not done")), "" + each);
    }
    limited.set(false);
    assertEquals("done", await(few.run(new JobId(1), () -> "done")));
  }

  private static Status.Code codeOf(Future<?> failed) {
    ExecutionException thrown = assertThrows(ExecutionException.class, () -> await(failed));
    return assertInstanceOf(StatusRuntimeException.class, thrown.getCause()).getStatus().getCode();
  }

  @Test
  void orderThatFailsWithAnErrorIsAnsweredAndNotCounted() throws Exception {
    for (int each = 0; each <= LongOrders.MOST_OF_A_JOB; each++) {
      Future<String> failing =
          orders.run(
              new JobId(1),
              () -> {
                throw new AssertionError("on purpose");
              });
      ExecutionException thrown = assertThrows(ExecutionException.class, () -> await(failing));
      assertInstanceOf(AssertionError.class, thrown.getCause());
    }
  }

  @Test
  void ordersForOneUsersJobsThatHangLeaveThreadsForOthers() throws Exception {
    var ofTwo = new LongOrders(job -> job.number() < 1_000 ? 1001 : 1002);
    var free = new CountDownLatch(1);
    List<Future<String>> hanging = new ArrayList<>();
    for (long job = 1; job <= 300; job++) {
      hanging.add(ofTwo.run(new JobId(job), () -> afterwards(free)));
    }
    assertEquals("other", await(ofTwo.run(new JobId(1_000), () -> "other")));
    free.countDown();
    for (Future<String> each : hanging) {
      assertEquals("at last", await(each));
    }
  }

  /** As of jobs of one user that are ended together and whose processes ignore SIGTERM. */
  @Test
  void ordersInStepsNeedNoThreadsWhileTheyWait() throws Exception {
    var ofOne = new LongOrders(_ -> 1001);
    var over = new AtomicBoolean();
    List<Future<String>> waiting = new ArrayList<>();
    for (long job = 1; job <= 300; job++) {
      waiting.add(ofOne.runInSteps(new JobId(job), () -> until(over), _ -> "over"));
    }
    assertEquals("other", await(ofOne.run(new JobId(1_000), () -> "other")));
    assertTrue(waiting.stream().noneMatch(Future::isComplete));
    over.set(true);
    for (Future<String> each : waiting) {
      assertEquals("over", await(each));
    }
  }

  private static EndInSteps until(AtomicBoolean over) {
    return new EndInSteps() {
      @Override
      public Optional<EndResult> step() {
        return over.get() ? Optional.of(new EndResult.Clean(0)) : Optional.empty();
      }

      @Override
      public Duration pause() {
        return Duration.ofMillis(10);
      }
    };
  }
}
