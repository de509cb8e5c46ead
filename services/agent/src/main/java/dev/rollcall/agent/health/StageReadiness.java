package dev.rollcall.agent.health;

import dev.rollcall.agent.event.StageHealth;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Which stages are well. Not thread-safe. */
final class StageReadiness {
  private final Map<String, StageHealth> stages = new TreeMap<>();

  /**
   * @param awaited the stages without which the agent is not ready; until they say something they
   *     are not well
   */
  StageReadiness(Set<String> awaited) {
    awaited.forEach(
        stage -> stages.put(stage, new StageHealth(stage, true, false, "has not started yet")));
  }

  void changed(StageHealth health) {
    stages.put(health.stage(), health);
  }

  boolean ready() {
    return stages.values().stream().noneMatch(stage -> stage.needed() && !stage.well());
  }

  /** With a reason for each stage, also for those that are not needed. */
  JsonObject report() {
    var reasons = new JsonArray();
    stages
        .values()
        .forEach(stage ->
            reasons.add(
                new JsonObject()
                    .put("stage", stage.stage())
                    .put("well", stage.well())
                    .put("needed", stage.needed())
                    .put("detail", stage.detail())));
    return new JsonObject().put("ready", ready()).put("stages", reasons);
  }
}
