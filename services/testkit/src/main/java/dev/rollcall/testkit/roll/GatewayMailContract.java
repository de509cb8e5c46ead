package dev.rollcall.testkit.roll;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.port.GatewayMail;
import dev.rollcall.port.GatewayMail.Delivery;
import dev.rollcall.testkit.process.Await;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Tests the behaviour of every mail between gateways; two gateways, {@code one:7450} and {@code
 * two:7450}.
 */
public abstract class GatewayMailContract {
  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final String ONE = "one:7450";
  private static final String TWO = "two:7450";

  private static final class Box implements GatewayMail.Listener {
    final List<byte[]> received = new CopyOnWriteArrayList<>();
    final List<String> senders = new CopyOnWriteArrayList<>();

    @Override
    public void received(String fromGateway, byte[] message) {
      senders.add(fromGateway);
      received.add(message);
    }

    @Override
    public void nodesConnectAgain(String because) {}
  }

  protected abstract GatewayMail one();

  protected abstract GatewayMail two();

  /** Without a farewell. */
  protected abstract void killTwo();

  @Test
  void everyGatewayKnowsEveryOther() {
    assertEquals(ONE, one().self());
    assertEquals(Set.of(ONE, TWO), one().gateways());
    assertEquals(Set.of(ONE, TWO), two().gateways());
  }

  @Test
  void aMessageArrivesWithItsSendersName() {
    var box = new Box();
    two().listen(box);
    assertEquals(new Delivery.Delivered(), end(one().send(TWO, new byte[] {1, 2}, DEADLINE)));
    assertEquals(List.of(ONE), box.senders);
    assertArrayEquals(new byte[] {1, 2}, box.received.getFirst());
  }

  @Test
  void aGatewayMayWriteToItself() {
    var box = new Box();
    one().listen(box);
    assertEquals(new Delivery.Delivered(), end(one().send(ONE, new byte[] {7}, DEADLINE)));
    assertEquals(List.of(ONE), box.senders);
  }

  @Test
  void aLargeAndAnEmptyMessageArriveWhole() {
    var box = new Box();
    two().listen(box);
    byte[] large = new byte[3 << 20];
    large[large.length - 1] = 9;
    assertEquals(new Delivery.Delivered(), end(one().send(TWO, large, DEADLINE)));
    assertEquals(new Delivery.Delivered(), end(one().send(TWO, new byte[0], DEADLINE)));
    assertArrayEquals(large, box.received.getFirst());
    assertEquals(0, box.received.getLast().length);
  }

  @Test
  void messagesArriveInTheOrderTheyWereSent() {
    var box = new Box();
    two().listen(box);
    var sent = new ArrayList<CompletionStage<Delivery>>();
    for (int i = 0; i < 2000; i++) {
      sent.add(one().send(TWO, ByteBuffer.allocate(4).putInt(i).array(), DEADLINE));
    }
    sent.forEach(s -> assertEquals(new Delivery.Delivered(), end(s)));
    for (int i = 0; i < 2000; i++) {
      assertEquals(i, ByteBuffer.wrap(box.received.get(i)).getInt());
    }
  }

  @Test
  void aMessageToNobodyIsUndeliveredByName() {
    assertUndelivered(one().send("nine:7450", new byte[1], DEADLINE), "nine:7450");
  }

  @Test
  void aGatewayThatDoesNotListenYetIsNamed() {
    assertUndelivered(one().send(TWO, new byte[1], DEADLINE), TWO);
  }

  @Test
  void aListenerThatThrowsIsTheSendersReasonAndTheNextMessageArrives() {
    var box =
        new GatewayMail.Listener() {
          int calls;

          @Override
          public void received(String fromGateway, byte[] message) {
            if (++calls == 1) {
              throw new IllegalStateException("not this one");
            }
          }

          @Override
          public void nodesConnectAgain(String because) {}
        };
    two().listen(box);
    assertUndelivered(one().send(TWO, new byte[1], DEADLINE), "not this one");
    assertEquals(new Delivery.Delivered(), end(one().send(TWO, new byte[1], DEADLINE)));
  }

  @Test
  void aListenerThatDoesNotReturnCostsTheSenderItsDeadlineOnly() throws InterruptedException {
    var release = new CountDownLatch(1);
    var entered = new CountDownLatch(1);
    two()
        .listen(
            new GatewayMail.Listener() {
              @Override
              public void received(String fromGateway, byte[] message) {
                entered.countDown();
                awaitQuietly(release);
              }

              @Override
              public void nodesConnectAgain(String because) {}
            });
    try {
      var sent = one().send(TWO, new byte[1], Duration.ofMillis(300));
      assertTrue(entered.await(10, TimeUnit.SECONDS), "the message arrived");
      assertUndelivered(sent, "300 ms");
      assertUndelivered(one().send(TWO, new byte[1], Duration.ofMillis(100)), "100 ms");
    } finally {
      release.countDown();
    }
  }

  @Test
  void aGatewayThatDiesIsSeenAndIsNotWrittenTo() {
    two().listen(new Box());
    killTwo();
    Await.until("the departure is seen", () -> one().gateways().equals(Set.of(ONE)));
    assertUndelivered(one().send(TWO, new byte[1], DEADLINE), TWO);
  }

  private static Delivery end(CompletionStage<Delivery> sent) {
    return sent.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
  }

  private static void assertUndelivered(CompletionStage<Delivery> sent, String named) {
    String reason = assertInstanceOf(Delivery.Undelivered.class, end(sent)).reason();
    assertTrue(reason.contains(named), reason);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      if (!latch.await(30, TimeUnit.SECONDS)) {
        throw new IllegalStateException("was not released");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
