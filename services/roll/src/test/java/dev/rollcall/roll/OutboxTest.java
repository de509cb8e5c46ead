package dev.rollcall.roll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.port.GatewayMail.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Mail to a gateway that hangs. */
class OutboxTest {
  private static final Duration LONG = Duration.ofMinutes(10);

  @Test
  void bytesThatWaitForAGatewayAreBounded() {
    var carried = new ArrayList<CompletableFuture<String[]>>();
    var outbox =
        new Outbox(
            "g:7450",
            (List<byte[]> batch) -> {
              var answer = new CompletableFuture<String[]>();
              carried.add(answer);
              return answer;
            });
    byte[] mebibyte = new byte[1 << 20];
    var travelling = outbox.add(mebibyte, LONG);
    for (int i = 0; i < 16; i++) {
      assertFalse(outbox.add(mebibyte, LONG).isDone());
    }
    CompletableFuture<Delivery> refused = outbox.add(new byte[1], LONG);
    assertTrue(refused.isDone());
    assertEquals(
        "gateway g:7450: 16777216 bytes are waiting already",
        assertInstanceOf(Delivery.Undelivered.class, refused.join()).reason());
    carried.getFirst().complete(new String[] {""});
    assertInstanceOf(Delivery.Delivered.class, travelling.join());
    assertFalse(outbox.add(mebibyte, LONG).isDone());
    outbox.fail("the test ends");
  }

  @Test
  void messagesThatWaitForAGatewayAreBounded() {
    var outbox = new Outbox("g:7450", _ -> new CompletableFuture<>());
    byte[] empty = {};
    for (int i = 0; i <= 10_000; i++) {
      assertFalse(outbox.add(empty, LONG).isDone(), "message " + i);
    }
    assertEquals(
        "gateway g:7450: 10000 messages are waiting already",
        assertInstanceOf(Delivery.Undelivered.class, outbox.add(empty, LONG).join()).reason());
    outbox.fail("the test ends");
  }

  @Test
  void aMessageIsNotSentAfterItsDeadline() {
    var batches = new ArrayList<List<byte[]>>();
    var first = new CompletableFuture<String[]>();
    var outbox =
        new Outbox(
            "g:7450",
            (List<byte[]> batch) -> {
              batches.add(batch);
              return first;
            });
    var _ = outbox.add(new byte[] {1}, LONG);
    Delivery late = outbox.add(new byte[] {2}, Duration.ofNanos(1)).join();
    assertInstanceOf(Delivery.Undelivered.class, late);
    var third = outbox.add(new byte[] {3}, LONG);
    first.complete(new String[] {""});
    assertInstanceOf(Delivery.Delivered.class, third.orTimeout(60, TimeUnit.SECONDS).join());
    assertEquals(
        List.of(List.of(1), List.of(3)),
        batches.stream().map(batch -> batch.stream().map(it -> (int) it[0]).toList()).toList());
  }
}
