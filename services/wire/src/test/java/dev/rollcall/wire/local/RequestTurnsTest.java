package dev.rollcall.wire.local;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RequestTurnsTest {
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final ContextInternal context = ((VertxInternal) vertx).createEventLoopContext();
  private final RequestTurns turns = new RequestTurns(context);
  private final List<String> begun = new ArrayList<>();
  private final CompletableFuture<List<String>> all = new CompletableFuture<>();

  @AfterEach
  void close() {
    vertx.close().await();
  }

  private void onLoop(Runnable task) {
    context.runOnContext(_ -> task.run());
  }

  /** A request whose turn ends as it begins, or never. */
  private RequestTurns.Turn request(String user, int number, boolean answered, int last) {
    var turn = new RequestTurns.Turn[1];
    turn[0] =
        turns.await(
            user,
            () -> {
              begun.add(user + number);
              if (begun.size() == last) {
                all.complete(List.copyOf(begun));
              }
              if (answered) {
                turn[0].end();
              }
            });
    return turn[0];
  }

  private List<String> begun() {
    return all.orTimeout(30, TimeUnit.SECONDS).join();
  }

  @Test
  void aRequestWaitsForOneOfEachOtherUserHoweverManyTheyHave() {
    onLoop(() -> {
      for (int i = 0; i < 64; i++) {
        request("a", i, true, 129);
        request("b", i, true, 129);
      }
      request("honest", 0, true, 129);
    });
    List<String> order = begun();
    assertEquals(List.of("a0", "b0", "honest0", "a1", "b1"), order.subList(0, 5));
    assertEquals(129, order.size());
  }

  @Test
  void theNextRequestOfAUserBeginsWhenTheFirstIsAnswered() {
    var first = new RequestTurns.Turn[1];
    onLoop(() -> {
      first[0] = request("a", 0, false, 3);
      request("a", 1, true, 3);
      turns.await("b", () -> first[0].end());
      request("c", 0, true, 3);
    });
    assertEquals(List.of("a0", "c0", "a1"), begun());
  }

  @Test
  void aRequestThatIsNotAnsweredKeepsItsTurnForATenthOfASecond() {
    onLoop(() -> {
      request("a", 0, false, 3);
      request("a", 1, true, 3);
      request("b", 0, true, 3);
    });
    assertEquals(List.of("a0", "b0", "a1"), begun());
  }

  @Test
  void aRequestThatIsGivenUpBeforeItsTurnIsLeftOut() {
    onLoop(() -> {
      request("a", 0, true, 3);
      RequestTurns.Turn second = request("a", 1, true, 3);
      RequestTurns.Turn lost = request("b", 0, true, 3);
      request("b", 1, true, 3);
      request("a", 2, true, 3);
      second.end();
      lost.end();
      lost.end();
    });
    assertEquals(List.of("a0", "b1", "a2"), begun());
  }

  @Test
  void socketsAreLookedAtBetweenTwoTurns() {
    // What is due runs once the sockets were looked at, so a task that comes meanwhile is first.
    onLoop(() -> {
      turns.await("a", () -> context.nettyEventLoop().execute(() -> begun.add("task")));
      request("b", 0, true, 2);
    });
    assertEquals(List.of("task", "b0"), begun());
  }
}
