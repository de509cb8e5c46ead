package dev.rollcall.wire.grpc.limit;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** A crowd of real connections, of a real user, is in the cluster's tests. */
class UserConnectionLimitTest {
  private final UserConnectionLimit crowds =
      new UserConnectionLimit(uid -> uid >= 100_000 ? 2001 : uid);

  @Test
  void aUserGetsNoMoreThanTheBoundAndNoOneElseLess() {
    for (int i = 0; i < UserConnectionLimit.MOST_OF_A_USER; i++) {
      assertTrue(crowds.enter(2001), "connection " + i);
    }
    assertFalse(crowds.enter(2001));
    assertTrue(crowds.enter(2002));
  }

  @Test
  void aUsersSubordinateUidsGetNoMoreThanTheUser() {
    for (int i = 0; i < UserConnectionLimit.MOST_OF_A_USER; i++) {
      assertTrue(crowds.enter(100_000 + i));
    }
    assertFalse(crowds.enter(100_000));
    assertFalse(crowds.enter(2001));
    assertTrue(crowds.enter(2002));
  }

  @Test
  void manyUsersTogetherLeaveSomeForEachOther() {
    for (int i = 0; i < UserConnectionLimit.MOST_OF_ALL; i++) {
      assertTrue(crowds.enter(3000 + i / UserConnectionLimit.MOST_OF_A_USER));
    }
    assertFalse(crowds.enter(3000));
    for (int i = 0; i < UserConnectionLimit.ALWAYS_OF_A_USER; i++) {
      assertTrue(crowds.enter(2001));
    }
    assertFalse(crowds.enter(2001));
    crowds.leave(3000);
    for (int i = UserConnectionLimit.MOST_OF_ALL + UserConnectionLimit.ALWAYS_OF_A_USER - 1;
        i < UserConnectionLimit.MOST_EVER;
        i++) {
      assertTrue(crowds.enter(4000 + i), "connection " + i);
    }
    assertFalse(crowds.enter(2002));
  }

  @Test
  void aConnectionThatEndedMakesRoomForOne() {
    for (int i = 0; i < UserConnectionLimit.MOST_OF_A_USER; i++) {
      assertTrue(crowds.enter(2001));
    }
    crowds.leave(2001);
    assertTrue(crowds.enter(2001));
    assertFalse(crowds.enter(2001));
  }
}
