package dev.rollcall.gateway.route;

import dev.rollcall.proto.roll.v1.CallsLost;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Passes on that a node lost calls: the first message at once, and those that follow before the
 * next tick as one, at the tick. An agent sends one a second at most, and each is passed on to
 * every gateway. Thread-safe.
 */
final class LostCallsThrottle {
  private final Consumer<CallsLost> next;

  /**
   * The nodes that have sent a message since the last tick, with the sum that the next one passes
   * on.
   */
  private final Map<String, Optional<CallsLost>> recent = new HashMap<>();

  LostCallsThrottle(Consumer<CallsLost> next) {
    this.next = next;
  }

  synchronized void lost(CallsLost lost) {
    Optional<CallsLost> earlier = recent.get(lost.getNode());
    if (earlier == null) {
      recent.put(lost.getNode(), Optional.empty());
      next.accept(lost);
    } else {
      recent.put(lost.getNode(), Optional.of(sum(earlier, lost)));
    }
  }

  private static CallsLost sum(Optional<CallsLost> earlier, CallsLost lost) {
    return earlier
        .map(it -> lost.toBuilder().setLost(it.getLost() + lost.getLost()).build())
        .orElse(lost);
  }

  /** Every second. */
  synchronized void tick() {
    recent.values().removeIf(Optional::isEmpty);
    recent.replaceAll((_, waiting) -> {
      waiting.ifPresent(next);
      return Optional.empty();
    });
  }
}
