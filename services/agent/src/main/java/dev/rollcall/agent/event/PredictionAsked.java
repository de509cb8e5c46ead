package dev.rollcall.agent.event;

import java.time.Duration;

/** Asks for the decision about a user's next login. */
public record PredictionAsked(int uid) {
  /** So long it may take, as the user's groups may have to be asked for. */
  public static final Duration PATIENCE = Duration.ofMillis(3_500);
}
