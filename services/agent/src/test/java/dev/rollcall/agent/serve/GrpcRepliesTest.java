package dev.rollcall.agent.serve;

import static dev.rollcall.agent.TestNode.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.Query;
import dev.rollcall.wire.grpc.VertxSettings;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GrpcRepliesTest {
  private static final Query<String, String> SILENT = new Query<>("test.silent");

  private final Vertx vertx = VertxSettings.start(VertxSettings.quiet());
  private final Vertx users = VertxSettings.start(VertxSettings.quiet());
  private final Bus bus = new Bus(vertx);

  @AfterEach
  void stop() {
    await(users.close());
    await(vertx.close());
  }

  private StatusRuntimeException refusal(Vertx asking) {
    Promise<StatusRuntimeException> refused = Promise.promise();
    asking.runOnContext(_ ->
        bus.ask(SILENT, "who", Duration.ofMillis(30))
            .onFailure(cause -> refused.complete(GrpcReplies.refusal(cause))));
    return await(refused.future());
  }

  private static void assertRefused(String text, StatusRuntimeException refusal) {
    assertEquals(Status.Code.UNAVAILABLE, refusal.getStatus().getCode());
    assertEquals(text, refusal.getStatus().getDescription());
  }

  @Test
  void aStageThatDoesNotAnswerIsNamedWithTheTime() {
    Promise<Void> answers = Promise.promise();
    vertx.runOnContext(_ -> {
      bus.answer(SILENT, _ -> Promise.<String>promise().future());
      answers.complete();
    });
    await(answers.future());
    String text = "the agent is busy: no answer at test.silent within 30 ms";
    assertRefused(text, refusal(vertx));
    assertRefused(text, refusal(users));
  }

  @Test
  void aStageThatIsNotThereIsNamed() {
    String text = "the agent is starting or stopping: nobody answers at test.silent";
    assertRefused(text, refusal(vertx));
    assertRefused(text, refusal(users));
  }

  @Test
  void whatTheStageRefusesStaysAsItIs() {
    Promise<Void> answers = Promise.promise();
    vertx.runOnContext(_ -> {
      bus.answer(
          SILENT,
          _ -> Future.failedFuture(Status.NOT_FOUND.withDescription("none").asRuntimeException()));
      answers.complete();
    });
    await(answers.future());
    assertEquals("NOT_FOUND: none", refusal(users).getMessage());
  }
}
