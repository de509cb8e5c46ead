package dev.rollcall.roll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.hazelcast.core.OperationTimeoutException;
import dev.rollcall.port.RollUnavailableException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GridTimeoutTest {
  private final GridTimeout bounded = new GridTimeout(Duration.ofMillis(100));

  @AfterEach
  void close() {
    bounded.close();
  }

  @Test
  void whatDoesNotAnswerIsNamedAndInterrupted() throws InterruptedException {
    var interrupted = new CountDownLatch(1);
    var failure =
        assertThrows(
            RollUnavailableException.class,
            () ->
                bounded.run(
                    "enter job 7",
                    () -> {
                      try {
                        new CountDownLatch(1).await();
                      } catch (InterruptedException e) {
                        interrupted.countDown();
                      }
                    }));
    assertEquals(
        "enter job 7: the cluster of gateways did not answer within 100 ms", failure.getMessage());
    assertTrue(interrupted.await(10, TimeUnit.SECONDS));
  }

  @Test
  void whatTheGridThrowsIsUnavailableAndABugStaysABug() {
    var bug = new IllegalArgumentException("bug");
    assertThrows(
        RollUnavailableException.class,
        () ->
            bounded.run(
                "x",
                () -> {
                  throw new OperationTimeoutException("slow");
                }));
    assertSame(
        bug,
        assertThrows(
            IllegalArgumentException.class,
            () ->
                bounded.run(
                    "x",
                    () -> {
                      throw bug;
                    })));
  }

  @Test
  void anInterruptedCallerIsToldAndStaysInterrupted() {
    Thread.currentThread().interrupt();
    assertThrows(
        RollUnavailableException.class,
        () -> bounded.call("x", () -> new CountDownLatch(1).await(10, TimeUnit.SECONDS)));
    assertTrue(Thread.interrupted());
  }

  @Test
  void afterItIsClosedNothingIsAsked() {
    bounded.close();
    assertThrows(RollUnavailableException.class, () -> bounded.call("x", () -> 1));
  }
}
