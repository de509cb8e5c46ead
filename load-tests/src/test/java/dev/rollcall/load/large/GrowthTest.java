package dev.rollcall.load.large;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class GrowthTest {
  private static final double EXACT = 1e-9;

  @Test
  void thePowerIsThatOfTheSize() {
    for (double power : new double[] {0, 0.5, 1, 2}) {
      var growth = new Growth();
      for (double size : new double[] {100, 300, 1_000}) {
        growth.add(size, 7 * Math.pow(size, power));
      }
      assertEquals(power, growth.exponent(), EXACT);
    }
  }

  @Test
  void whatWasThereBeforeDoesNotCountForOneMore() {
    var growth = new Growth();
    growth.add(100, 1_000 + 100 * 3);
    growth.add(200, 1_000 + 200 * 3);
    assertEquals(3, growth.perOne(), EXACT);
  }

  @Test
  void onePointTellsTheProportionAndNoPower() {
    var growth = new Growth();
    growth.add(100, 300);
    growth.add(200, -1);
    assertEquals(1, growth.points());
    assertEquals(3, growth.perOne(), EXACT);
    assertTrue(Double.isNaN(growth.exponent()));
  }
}
