package dev.rollcall.agent.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.Status;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class UserRatesTest {
  private static final SocketUser ALICE = new SocketUser(1, 2001);

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000_000);
  private final UserRates pace =
      UserRates.toTheGateway(uid -> uid >= 100_000 ? 2001 : uid, now::get);

  private int passed(SocketUser asker, int tries) {
    int passed = 0;
    for (int i = 0; i < tries; i++) {
      passed += pace.allows(asker) ? 1 : 0;
    }
    return passed;
  }

  @Test
  void aUserMayAskSomeAtOnceAndThenSoManyASecond() {
    assertEquals(UserRates.AT_ONCE, passed(ALICE, 1_000));
    now.addAndGet(1_000_000_000);
    assertEquals(UserRates.A_SECOND, passed(ALICE, 1_000));
    now.addAndGet(3_600_000_000_000L);
    assertEquals(UserRates.AT_ONCE, passed(ALICE, 1_000));
  }

  @Test
  void oneUsersHasteIsNoOtherUsers() {
    assertEquals(UserRates.AT_ONCE, passed(ALICE, 1_000));
    assertEquals(1, passed(new SocketUser(1, 2002), 1));
  }

  @Test
  void subordinateUidsCountForTheirOwner() {
    assertEquals(60, passed(new SocketUser(1, 100_000), 60));
    assertEquals(40, passed(new SocketUser(1, 165_535), 1_000));
    assertEquals(0, passed(ALICE, 1));
  }

  @Test
  void rootIsNotBound() {
    assertEquals(1_000, passed(new SocketUser(1, 0), 1_000));
  }

  @Test
  void theRefusalNamesTheUser() {
    Status refusal = UserRates.tooFast(ALICE).getStatus();
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, refusal.getCode());
    assertEquals("uid 2001 asks the gateway more than 10 times a second", refusal.getDescription());
  }
}
