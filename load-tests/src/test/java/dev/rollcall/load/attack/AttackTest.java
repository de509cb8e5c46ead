package dev.rollcall.load.attack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class AttackTest {
  private static final Random RANDOM = new Random(46);

  @Test
  void theTextOfEveryChangedAttackCanBeReplayed() {
    Attack attack = Attack.parse("open h2 user 1 1 reads");
    for (int i = 0; i < 2_000; i++) {
      attack = attack.changed(attack, RANDOM);
      assertEquals(attack, Attack.parse("# a comment\n\n" + attack));
      assertTrue(attack.steps().size() <= Attack.MOST_STEPS, attack::toString);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pause 1",
        "wait",
        "wait -1",
        "wait 2001",
        "wait 99999999999",
        "wait x",
        "reset 1",
        "open h3 user 1 1 reads",
        "calls /nowhere 1 0 ended"
      })
  void aLineThatIsNoOperationIsNamed(String line) {
    var error = assertThrows(IllegalArgumentException.class, () -> Attack.parse("reset\n" + line));
    assertTrue(String.valueOf(error.getMessage()).contains(line), error::getMessage);
  }

  @ParameterizedTest
  @EnumSource
  void aMessageHasItsLengthAtMost(Shape shape) {
    for (int count : new int[] {0, 1, 7, 200, 16_384, 1_040_000}) {
      int length = shape.bytes(count).length;
      assertTrue(length <= count && (count < 16_384 || length > count * 9 / 10), "" + length);
    }
  }
}
