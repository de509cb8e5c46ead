package dev.rollcall.testkit.roll;

import dev.rollcall.port.GatewayMail;
import org.junit.jupiter.api.AfterEach;

class InMemoryGatewaysTest extends GatewayMailContract {
  private final InMemoryGateways gateways = new InMemoryGateways();
  private final GatewayMail one = gateways.start("one:7450");
  private final GatewayMail two = gateways.start("two:7450");

  @AfterEach
  void close() {
    gateways.close();
  }

  @Override
  protected GatewayMail one() {
    return one;
  }

  @Override
  protected GatewayMail two() {
    return two;
  }

  @Override
  protected void killTwo() {
    gateways.kill("two:7450");
  }
}
