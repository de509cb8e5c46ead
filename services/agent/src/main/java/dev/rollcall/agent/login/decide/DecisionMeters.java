package dev.rollcall.agent.login.decide;

import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Decision;
import dev.rollcall.model.Reason;
import dev.rollcall.wire.metrics.EnumCounters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/** Counts decisions. */
public final class DecisionMeters {
  private static final List<String> ANSWERS = List.of("found", "unknown", "unreachable");

  private final MeterRegistry registry;
  private final Counter offers;
  private final Counter wouldAdopt;
  private final Counter wouldDeny;
  private final EnumCounters<Reason> reasons;
  private final EnumCounters<By> logins;

  /** What decides a login. */
  public enum By {
    /** The PAM module, by the agent's files. */
    FILES,
    AGENT
  }

  public DecisionMeters(MeterRegistry registry, AuditOnly auditOnly) {
    this.registry = registry;
    registry.gauge("rollcall.decide.audit.only", auditOnly, only -> only.isOn() ? 1 : 0);
    offers = registry.counter("rollcall.decide.offers");
    wouldAdopt = registry.counter("rollcall.decide.unenforced", "would", "adopt");
    wouldDeny = registry.counter("rollcall.decide.unenforced", "would", "deny");
    reasons = new EnumCounters<>(registry, "rollcall.decide.sessions", "reason", Reason.class);
    logins = new EnumCounters<>(registry, "rollcall.decide.logins", "by", By.class);
    for (String answer : ANSWERS) {
      registry.counter("rollcall.decide.callers", "answer", answer);
    }
  }

  void unenforced(Decision would) {
    (would instanceof Decision.Adopt ? wouldAdopt : wouldDeny).increment();
  }

  void offered() {
    offers.increment();
  }

  void asked(CallerAnswer answer) {
    registry.counter("rollcall.decide.callers", "answer", word(answer)).increment();
  }

  static String word(CallerAnswer answer) {
    return switch (answer) {
      case CallerAnswer.Found _ -> "found";
      case CallerAnswer.Unknown _ -> "unknown";
      case CallerAnswer.Unreachable _ -> "unreachable";
    };
  }

  public void decided(Reason reason, By by) {
    reasons.of(reason).increment();
    logins.of(by).increment();
  }
}
