package dev.rollcall.agent.decide;

import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Reason;
import io.micrometer.core.instrument.MeterRegistry;

/** What decide counts. */
final class DecideMeters {
  private final MeterRegistry registry;

  DecideMeters(MeterRegistry registry) {
    this.registry = registry;
    for (Reason reason : Reason.values()) {
      registry.counter("rollcall.decide.sessions", "reason", reason.word());
    }
  }

  void asked(CallerAnswer answer) {
    String word =
        switch (answer) {
          case CallerAnswer.Found _ -> "found";
          case CallerAnswer.Unknown _ -> "unknown";
          case CallerAnswer.Unreachable _ -> "unreachable";
        };
    registry.counter("rollcall.decide.callers", "answer", word).increment();
  }

  void decided(Reason reason) {
    registry.counter("rollcall.decide.sessions", "reason", reason.word()).increment();
  }
}
