package dev.rollcall.linux.devices;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.model.allocation.DeviceRule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DeviceListTest {
  private static DeviceList list(String... rules) {
    return DeviceList.of(Stream.of(rules).map(DeviceRule::parse).toList());
  }

  @Test
  void oneLineForEachPairOfKindAndNumbers() {
    assertEquals(
        List.of("b 8:0 r", "c 195:* rwm"), list("c 195:* r", "b 8:0 r", "c 195:* wm").lines());
  }

  @Test
  void bothKindsAreTwoLinesSinceTheKernelTakesNumbersForOneOnly() {
    assertEquals(List.of("b 8:* m", "c 8:* m"), list("a 8:* m").lines());
  }

  @Test
  void onlyTheAccessThatIsMissingIsLeft() {
    assertEquals(
        List.of("c 1:1 m", "c 2:2 r"),
        list("c 1:1 rwm", "c 2:2 r", "c 3:3 w").without(list("c 1:1 rw", "c 3:3 rwm")));
  }

  @Test
  void whatIsAboveBoundsWhatIsBelow() {
    assertEquals(
        List.of("c 1:1 r", "c 2:2 rw"),
        list("c 1:1 rw", "c 2:2 rw", "b 2:2 r", "c 3:* r")
            .within(list("c 1:* rm", "c 2:2 r", "c *:2 w", "c 3:3 r"))
            .lines());
  }

  @Test
  void theKernelsListReadsAsTheSame() {
    assertEquals(list("c 240:7 wr"), DeviceList.parse(List.of("c 240:7 rw")));
  }
}
