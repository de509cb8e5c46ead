package dev.rollcall.wire.grpc;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** A crowd of real connections, of a real user, is in the cluster's tests. */
class CrowdsTest {
  private final Crowds crowds = new Crowds(uid -> uid >= 100_000 ? 2001 : uid);

  @Test
  void aUserGetsNoMoreThanTheBoundAndNoOneElseLess() {
    for (int i = 0; i < Crowds.MOST_OF_A_USER; i++) {
      assertTrue(crowds.enter(2001), "connection " + i);
    }
    assertFalse(crowds.enter(2001));
    assertTrue(crowds.enter(2002));
  }

  @Test
  void aUsersSubordinateUidsGetNoMoreThanTheUser() {
    for (int i = 0; i < Crowds.MOST_OF_A_USER; i++) {
      assertTrue(crowds.enter(100_000 + i));
    }
    assertFalse(crowds.enter(100_000));
    assertFalse(crowds.enter(2001));
    assertTrue(crowds.enter(2002));
  }

  @Test
  void aConnectionThatEndedMakesRoomForOne() {
    for (int i = 0; i < Crowds.MOST_OF_A_USER; i++) {
      assertTrue(crowds.enter(2001));
    }
    crowds.leave(2001);
    assertTrue(crowds.enter(2001));
    assertFalse(crowds.enter(2001));
  }
}
