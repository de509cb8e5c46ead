package dev.rollcall.agent.login.socket;

import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.agent.event.LoginOutcome;
import dev.rollcall.model.Reason;
import dev.rollcall.wire.trace.Span;

/** Ends the span of a login with its outcome. */
record LoginTrace(AdoptionRequested request) {
  void end(LoginOutcome outcome) {
    switch (outcome) {
      case LoginOutcome.Decided decided -> end(decided);
      case LoginOutcome.JobsOffered _ -> request.span().with("rollcall.outcome", "offered").end();
      case LoginOutcome.Join join ->
          decided(join.adoptionId(), "join", join.reason())
              .withPersonal("rollcall.job_id", join.job().toString())
              .end();
    }
  }

  private Span decided(String id, String outcome, Reason reason) {
    return request
        .span()
        .with("rollcall.decision_id", id)
        .with("rollcall.outcome", outcome)
        .with("rollcall.reason", reason.word())
        .withPersonal("user.name", request.user());
  }

  private void end(LoginOutcome.Decided decided) {
    Span span = decided(decided.adoptionId(), decided.outcome().word(), decided.reason());
    switch (decided) {
      case LoginOutcome.Adopted adopted ->
          span.withPersonal("rollcall.job_id", adopted.job().toString()).end();
      case LoginOutcome.Failed(_, String message) -> {
        span.failed(message);
        span.end();
      }
      case LoginOutcome.Allowed _, LoginOutcome.Denied _, LoginOutcome.StepAside _ -> span.end();
    }
  }
}
