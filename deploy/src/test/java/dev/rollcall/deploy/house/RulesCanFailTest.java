package dev.rollcall.deploy.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.rollcall.agent.brokenone.FirstStage;
import dev.rollcall.agent.brokentwo.SecondStage;
import dev.rollcall.gateway.broken.GatewayThatSigns;
import dev.rollcall.gateway.broken.GridManager;
import dev.rollcall.model.broken.ModelThatKnowsTheWire;
import dev.rollcall.unmarked.Unmarked;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RulesCanFailTest {
  /** A class that breaks each rule; one broken arrow stands for all modules. */
  static final Map<String, Class<?>> BREAKERS =
      Map.of(
          "model is JDK only", ModelThatKnowsTheWire.class,
          "arrows of model", ModelThatKnowsTheWire.class,
          "java.lang.foreign only in linux", SecondStage.class,
          "Hazelcast only in roll and the gateway's main", GridManager.class,
          "Bouncy Castle only in authority", GatewayThatSigns.class,
          "stages do not see each other", FirstStage.class,
          "no cycles between packages", FirstStage.class,
          "names say something", GridManager.class,
          "packages are null-marked", Unmarked.class);

  static Iterable<Map.Entry<String, Class<?>>> breakers() {
    return BREAKERS.entrySet();
  }

  @ParameterizedTest
  @MethodSource("breakers")
  void aRuleNamesTheClassThatBreaksIt(Map.Entry<String, Class<?>> breaker) {
    var classes =
        new ClassFileImporter()
            .importClasses(
                FirstStage.class,
                SecondStage.class,
                GatewayThatSigns.class,
                GridManager.class,
                ModelThatKnowsTheWire.class,
                Unmarked.class);
    var error =
        assertThrows(AssertionError.class, () -> House.rule(breaker.getKey()).check(classes));
    assertTrue(error.toString().contains(breaker.getValue().getName()), error.toString());
  }

  @Test
  void everyRuleIsShownToFail() {
    var shown = new java.util.TreeSet<>(House.RULES.keySet());
    shown.removeIf(rule -> rule.startsWith("arrows of ") && !rule.equals("arrows of model"));
    assertEquals(new java.util.TreeSet<>(BREAKERS.keySet()), shown);
  }
}
