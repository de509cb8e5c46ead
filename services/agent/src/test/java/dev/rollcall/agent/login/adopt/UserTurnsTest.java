package dev.rollcall.agent.login.adopt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UserTurnsTest {
  private static final int ALICE = 1001;
  private static final int BOB = 1002;

  private final UserTurns turns = new UserTurns(2);
  private final List<Promise<String>> begun = new ArrayList<>();

  private Future<String> begin(int uid) {
    return turns.run(
        uid,
        () -> {
          Promise<String> one = Promise.promise();
          begun.add(one);
          return one.future();
        });
  }

  @Test
  void aUserWhoseMovesHangKeepsNoOtherUserWaiting() {
    var _ = begin(ALICE);
    var _ = begin(ALICE);
    Future<String> third = begin(ALICE);
    assertEquals(2, begun.size());
    Future<String> bobs = begin(BOB);
    assertEquals(3, begun.size());
    begun.getLast().complete("moved");
    assertTrue(bobs.succeeded());
    assertFalse(third.isComplete());
  }

  @Test
  void whoWaitsBeginsWhenOneEndsAlsoByAFailure() {
    Future<String> first = begin(ALICE);
    var _ = begin(ALICE);
    Future<String> third = begin(ALICE);
    Future<String> fourth = begin(ALICE);
    begun.getFirst().fail("the process is gone");
    assertTrue(first.failed());
    assertEquals(3, begun.size());
    begun.get(1).complete("moved");
    assertEquals(4, begun.size());
    begun.get(2).complete("third");
    begun.get(3).complete("fourth");
    assertEquals("third", third.result());
    assertEquals("fourth", fourth.result());
    var _ = begin(ALICE);
    assertEquals(5, begun.size());
  }

  @Test
  void ofTooManyWhoWaitTheNextFails() {
    for (int i = 0; i < 2 + UserTurns.MOST_WAITING; i++) {
      assertFalse(begin(ALICE).isComplete());
    }
    assertEquals("256 sessions of uid 1001 wait already", begin(ALICE).cause().getMessage());
    begun.getFirst().complete("moved");
    assertFalse(begin(ALICE).isComplete());
  }

  @Test
  void workThatIsDoneAtOnceBeginsNoneWithinItself() {
    var depths = new ArrayList<Integer>();
    var _ = begin(ALICE);
    var _ = begin(ALICE);
    for (int i = 0; i < UserTurns.MOST_WAITING; i++) {
      var _ =
          turns.run(
              ALICE,
              () -> {
                depths.add(Thread.currentThread().getStackTrace().length);
                return Future.succeededFuture();
              });
    }
    begun.getFirst().complete("moved");
    assertEquals(UserTurns.MOST_WAITING, depths.size());
    assertEquals(1, Set.copyOf(depths).size());
  }
}
