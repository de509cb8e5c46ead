package dev.rollcall.agent.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rollcall.model.JobId;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LongOrdersTest {
  private final LongOrders orders = new LongOrders();

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
}
