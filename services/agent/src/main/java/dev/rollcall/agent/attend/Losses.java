package dev.rollcall.agent.attend;

import dev.rollcall.agent.event.CallsLost;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.LongSupplier;

/**
 * What was lost lately. Each loss is told once, and again on every stream that begins while
 * somebody may still hold what it is about: the word may have been lost with the stream before. Not
 * thread-safe.
 */
final class Losses {
  /** Longer than any roll or board keeps a call: those are minutes, of sshd's LoginGraceTime. */
  static final Duration KEEP = Duration.ofMinutes(15);

  /** Of more users than these, all are said to be lost. */
  static final int MOST = 64;

  private record Loss(CallsLost lost, long nanos) {}

  private final LinkedHashMap<OptionalInt, Loss> byUid = new LinkedHashMap<>();
  private final LongSupplier nanoClock;

  Losses(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  void add(CallsLost lost) {
    CallsLost kept = lost;
    if (byUid.size() >= MOST && !byUid.containsKey(lost.uid())) {
      kept = new CallsLost(lost.calls(), OptionalInt.empty());
    }
    if (kept.uid().isEmpty()) {
      byUid.clear(); // each of them is in this one
    }
    byUid.put(kept.uid(), new Loss(kept, nanoClock.getAsLong()));
  }

  /** What a stream that begins should tell. */
  List<CallsLost> standing() {
    long now = nanoClock.getAsLong();
    byUid.values().removeIf(loss -> now - loss.nanos > KEEP.toNanos());
    return byUid.values().stream().map(Loss::lost).toList();
  }
}
