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
}
