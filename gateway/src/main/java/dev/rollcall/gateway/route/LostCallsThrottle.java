package dev.rollcall.gateway.route;

import dev.rollcall.proto.roll.v1.CallsLost;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Passes on that a node lost calls: the first message at once, and those that follow before the
 * next tick as one, at the tick. An agent sends one a second at most, and each is passed on to
 * every gateway. Thread-safe.
 */
final class LostCallsThrottle {
  private final Consumer<CallsLost> next;

  /** What was passed on since the last tick, and whether it came again. */
  private final Map<CallsLost, Boolean> recent = new HashMap<>();

  LostCallsThrottle(Consumer<CallsLost> next) {
    this.next = next;
  }

  synchronized void lost(CallsLost lost) {
    if (recent.put(lost, recent.containsKey(lost)) == null) {
      next.accept(lost);
    }
  }

  /** Every second. */
  synchronized void tick() {
    recent.values().removeIf(again -> !again);
    recent.replaceAll((lost, _) -> {
      next.accept(lost);
      return false;
    });
  }
}
