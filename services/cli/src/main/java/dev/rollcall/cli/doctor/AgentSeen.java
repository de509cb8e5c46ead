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

  public AgentSeen {
    stages = Map.copyOf(stages);
  }
}
