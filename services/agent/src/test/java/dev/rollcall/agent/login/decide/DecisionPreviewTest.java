package dev.rollcall.agent.login.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.event.Prediction;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DecisionPreviewTest {
  /** A site whose users' groups are not told until the end of the test. */
  private record SlowGroups(CountDownLatch end) implements AuditOnly {
    @Override
    public boolean isOn() {
      return true;
    }

    @Override
    public boolean mayBlock() {
      return true;
    }

    @Override
    public boolean holdsFor(int uid, String user) {
      return false;
    }

    @Override
    public Optional<String> ruleFor(int uid) {
      try {
        end.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return Optional.of("group trial");
    }

    @Override
    public void renew() {}
  }

  private static List<Future<Prediction>> ask(DecisionPreview preview, int times) {
    var answers = new ArrayList<Future<Prediction>>();
    for (int i = 0; i < times; i++) {
      answers.add(preview.answer(TestNode.ALICE));
    }
    return answers;
  }

  @Test
  void aBoundedNumberOfQuestionsWaitsForGroups() throws Exception {
    var end = new CountDownLatch(1);
    try (var node = new TestNode()) {
      var worker = node.vertx.createSharedWorkerExecutor("previews", 1);
      var preview =
          new DecisionPreview(node.jobs, new JobChoices(node.jobs), new SlowGroups(end), worker);
      List<Future<Prediction>> asked =
          node.onLoop(() -> ask(preview, DecisionPreview.MOST_WAITING + 1));
      assertEquals(
          "whether the session is audit-only: 64 other questions about users wait, try again",
          TestNode.await(asked.getLast()).doubt());
      assertFalse(asked.getFirst().isComplete());
      end.countDown();
      TestNode.await(Future.all(asked));
      assertEquals(
          Optional.of("group trial"),
          TestNode.await(node.onLoop(() -> ask(preview, 1)).getFirst()).onlyWatched());
    } finally {
      end.countDown();
    }
  }
}
