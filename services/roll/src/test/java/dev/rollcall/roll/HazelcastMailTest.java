package dev.rollcall.roll;

import dev.rollcall.port.GatewayMail;
import dev.rollcall.testkit.roll.GatewayMailContract;
import dev.rollcall.testkit.roll.SettableClock;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Two members for each test, because one of them dies in some. */
class HazelcastMailTest extends GatewayMailContract {
  private final Members members = new Members("mail", new SettableClock());
  private Grid one;
  private Grid two;

  @BeforeEach
  void startMembers() throws IOException {
    one = members.start("one:7450");
    two = members.start("two:7450");
  }

  @AfterEach
  void endMembers() {
    members.close();
  }

  @Override
  protected GatewayMail one() {
    return one.mail();
  }

  @Override
  protected GatewayMail two() {
    return two.mail();
  }

  @Override
  protected void killTwo() {
    members.kill(two);
  }
}
