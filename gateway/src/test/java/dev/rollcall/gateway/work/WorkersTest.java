package dev.rollcall.gateway.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rollcall.port.RollUnavailableException;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkersTest {
  private final Workers workers = new Workers(2);

  @AfterEach
  void close() {
    workers.close();
  }

  @Test
  void moreWorkThanThereIsRoomForIsRefusedAtOnce() throws Exception {
    var gate = new CountDownLatch(1);
    var first = workers.run(() -> gate.await(10, TimeUnit.SECONDS));
    var second = workers.run(() -> gate.await(10, TimeUnit.SECONDS));
    var third = workers.run(() -> true);
    var failure = assertThrows(ExecutionException.class, () -> third.get(5, TimeUnit.SECONDS));
    assertEquals(
        Status.Code.RESOURCE_EXHAUSTED, Status.fromThrowable(failure.getCause()).getCode());
    assertEquals(2, workers.underWay());
    gate.countDown();
    assertEquals(true, first.get(5, TimeUnit.SECONDS));
    assertEquals(true, second.get(5, TimeUnit.SECONDS));
    assertEquals(true, workers.run(() -> true).get(5, TimeUnit.SECONDS));
  }

  @Test
  void aTaskThatFailsMakesRoomAgain() throws Exception {
    for (int i = 0; i < 5; i++) {
      var failing =
          workers.run(() -> {
            throw new IllegalStateException("no");
          });
      assertThrows(ExecutionException.class, () -> failing.get(5, TimeUnit.SECONDS));
    }
    assertEquals(0, workers.underWay());
  }

  @Test
  void aLineKeepsItsOrder() throws Exception {
    List<Integer> done = Collections.synchronizedList(new ArrayList<>());
    var end = new CompletableFuture<Void>();
    var line = new SerialExecutor(workers, end::completeExceptionally);
    for (int i = 0; i < 1_000; i++) {
      int number = i;
      line.add(() -> done.add(number));
    }
    line.add(() -> end.complete(null));
    end.get(10, TimeUnit.SECONDS);
    assertEquals(IntStream.range(0, 1_000).boxed().toList(), done);
  }

  @Test
  void aLineTriesAgainWhileTheRollIsAwayForAMoment() throws Exception {
    var tries = new AtomicInteger();
    var end = new CompletableFuture<Integer>();
    var line = new SerialExecutor(workers, end::completeExceptionally);
    line.add(() -> {
      if (tries.incrementAndGet() < 3) {
        throw new RollUnavailableException("away", new IllegalStateException());
      }
    });
    line.add(() -> end.complete(tries.get()));
    assertEquals(3, end.get(10, TimeUnit.SECONDS));
  }

  @Test
  void aLineEndsWhenTheRollStaysAwayAndDoesNothingMore() throws Exception {
    var after = new AtomicInteger();
    var end = new CompletableFuture<Throwable>();
    var line = new SerialExecutor(workers, end::complete);
    line.add(() -> {
      throw new RollUnavailableException("away", new IllegalStateException());
    });
    line.add(after::incrementAndGet);
    assertInstanceOf(RollUnavailableException.class, end.get(10, TimeUnit.SECONDS));
    line.add(after::incrementAndGet);
    assertEquals(0, after.get());
  }
}
