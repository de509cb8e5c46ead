package dev.rollcall.agent.login.caller;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.model.CallerAnswer.Unknown;
import java.net.InetAddress;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NodelessAddressesTest {
  private static final InetAddress ONE = InetAddress.ofLiteral("10.9.0.1");
  private static final Unknown NO_NODE = new Unknown("no node has it", /* noNode= */ true);

  private long nanos = -3;
  private final NodelessAddresses addresses = new NodelessAddresses(() -> nanos);

  @Test
  void areKeptForAMoment() {
    addresses.keep(ONE, NO_NODE);
    nanos += NodelessAddresses.VALID.toNanos() - 1;
    assertEquals(Optional.of(NO_NODE), addresses.find(ONE));
    nanos++;
    assertEquals(Optional.empty(), addresses.find(ONE));
  }

  @Test
  void anAnswerAboutOneCallAloneIsNotKept() {
    addresses.keep(ONE, NO_NODE);
    addresses.keep(ONE, new Unknown("no such call"));
    assertEquals(Optional.empty(), addresses.find(ONE));
  }

  @Test
  void anAddressFromWhichANodeAnnouncesIsForgotten() {
    addresses.keep(ONE, NO_NODE);
    addresses.forget(ONE);
    assertEquals(Optional.empty(), addresses.find(ONE));
  }

  @Test
  void theOldestMakesRoom() {
    addresses.keep(ONE, NO_NODE);
    for (int each = 0; each < NodelessAddresses.MOST; each++) {
      addresses.keep(InetAddress.ofLiteral("10.8." + each / 250 + "." + (1 + each % 250)), NO_NODE);
    }
    assertEquals(Optional.empty(), addresses.find(ONE));
    assertEquals(Optional.of(NO_NODE), addresses.find(InetAddress.ofLiteral("10.8.0.1")));
  }
}
