package dev.rollcall.agent.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.TestNode;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.testkit.log.LoggedLines;
import dev.rollcall.testkit.process.Await;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class QuestionReaderTest {
  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicInteger sent = new AtomicInteger();

  private ConnectRequest read() throws InterruptedException {
    assertTrue(end.await(50, TimeUnit.SECONDS));
    return ConnectRequest.getDefaultInstance();
  }

  private boolean ask(QuestionReader reader, int times) {
    for (int i = 0; i < times; i++) {
      reader.answer("the processes of job " + i, this::read, _ -> sent.incrementAndGet());
    }
    return true;
  }

  @Test
  void ofTooManyQuestionsTheNextAreDropped() throws IOException {
    try (var node = new TestNode();
        var logged = LoggedLines.of(QuestionReader.class.getName())) {
      var reader = new QuestionReader(node.vertx.createSharedWorkerExecutor("readers", 1));
      assertTrue(node.onLoop(() -> ask(reader, 1_000)));
      assertEquals(
          List.of(
              "16 questions of gateways wait for their answers: later ones are dropped, as the"
                  + " processes of job 16"),
          logged.lines());
      end.countDown();
      Await.until("the first are answered", () -> sent.get() == 16);
      assertTrue(node.onLoop(() -> ask(reader, 1)));
      Await.until("a later one is, too", () -> sent.get() == 17);
    } finally {
      end.countDown();
    }
  }
}
