package dev.rollcall.agent.login;

import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.Phase;
import dev.rollcall.agent.event.RecordedLogin;
import dev.rollcall.agent.event.RecordedLogin.Delegation;
import dev.rollcall.wire.trace.Span;
import dev.rollcall.wire.trace.Tracer;
import java.util.Optional;

/** Makes the spans of logins that the PAM module decided, from their records. */
record RecordedLoginSpans(Tracer tracer) {
  /**
   * Makes the span of a login, which is over. One that the agent decided has its span: then it is
   * the one of the move.
   *
   * @return for later phases of the login; empty where nothing is traced
   */
  String add(RecordedLogin login) {
    Optional<Delegation> traced =
        login.delegation().filter(delegation -> !delegation.traceparent().isEmpty());
    return traced
        .map(delegation -> addMove(delegation, login.adoption()))
        .orElseGet(() -> addLogin(login.adoption()));
  }

  private String addMove(Delegation delegation, Adoption adoption) {
    Span move = tracer.over("move", Span.Kind.INTERNAL, adoption.decidedAt(), delegation.move());
    move.continues(delegation.traceparent());
    move.end();
    return delegation.traceparent();
  }

  private String addLogin(Adoption adoption) {
    String name = adoption.phase() == Phase.OPEN_SESSION ? "session" : "login";
    Span span =
        tracer
            .over(name, Span.Kind.SERVER, adoption.decidedAt(), adoption.took())
            .with("rollcall.decided_by", "module")
            .with("rollcall.decision_id", adoption.id())
            .with("rollcall.outcome", adoption.outcome().word())
            .with("rollcall.reason", adoption.reason().word())
            .withPersonal("user.name", adoption.user());
    adoption.job().ifPresent(step -> span.withPersonal("rollcall.job_id", step.job().toString()));
    if (adoption.outcome() == Adoption.Outcome.FAILED) {
      span.failed(adoption.doubt());
    }
    span.end();
    return span.traceparent();
  }
}
