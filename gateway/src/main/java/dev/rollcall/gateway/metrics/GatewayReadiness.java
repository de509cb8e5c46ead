package dev.rollcall.gateway.metrics;

/** Decides whether the gateway is ready for agents and clients. */
public final class GatewayReadiness {
  private sealed interface State {
    record Ready() implements State {}

    record Waiting(String reason) implements State {}
  }

  private final Listener listener;
  private volatile State state = new State.Waiting("starting");

  /** Told whenever it is said, also if it was so before. */
  public interface Listener {
    void told(boolean ready);
  }

  public GatewayReadiness(Listener listener) {
    this.listener = listener;
  }

  public void ready() {
    state = new State.Ready();
    listener.told(true);
  }

  /**
   * @param reason for people
   */
  public void notReady(String reason) {
    state = new State.Waiting(reason);
    listener.told(false);
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
