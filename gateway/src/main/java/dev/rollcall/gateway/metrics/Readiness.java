package dev.rollcall.gateway.metrics;

/** Whether agents and clients should come here. */
public final class Readiness {
  private sealed interface State {
    record Ready() implements State {}

    record Waiting(String reason) implements State {}
  }

  private volatile State state = new State.Waiting("starting");

  public void ready() {
    state = new State.Ready();
  }

  /**
   * @param reason for people
   */
  public void notReady(String reason) {
    state = new State.Waiting(reason);
  }

  public boolean isReady() {
    return state instanceof State.Ready;
  }

  /** "ready", or why not. */
  public String detail() {
    return switch (state) {
      case State.Ready() -> "ready";
      case State.Waiting(String reason) -> reason;
    };
  }
}
