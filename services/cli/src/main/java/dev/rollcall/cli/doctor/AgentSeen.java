package dev.rollcall.cli.doctor;

import java.util.Map;

/**
 * The agent's report about itself.
 *
 * @param stages by their names
 */
public record AgentSeen(boolean ready, Map<String, Stage> stages) {
  /** How a stage is, and why. */
  public record Stage(boolean well, String detail) {}

  /** Whether it is connected as a login node. */
  boolean login() {
    Stage gateway = stages.get("gateway");
    return gateway != null && gateway.detail().endsWith(" as a login node");
  }

  public AgentSeen {
    stages = Map.copyOf(stages);
  }
}
