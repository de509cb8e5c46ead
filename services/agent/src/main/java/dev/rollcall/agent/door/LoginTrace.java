package dev.rollcall.agent.door;

import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.agent.event.DoorAnswer;
import dev.rollcall.agent.event.DoorResponse;
import dev.rollcall.agent.event.JobsOffered;
import dev.rollcall.wire.trace.Span;
import dev.rollcall.wire.trace.Tracer;

/**
 * What traces say of a login, from its request at the door to its reply.
 *
 * @param request within the span
 */
record LoginTrace(AdoptionRequested request) {
  /** Of what is asked about a login; nothing of practice, and of a session's end. */
  static LoginTrace begin(AdoptionRequested request, Tracer tracer) {
    Span span =
        switch (request.phase()) {
          case ACCOUNT -> tracer.begin("login", Span.Kind.SERVER);
          case OPEN_SESSION -> tracer.begin("session", Span.Kind.SERVER);
          case CLOSE_SESSION, WARM_UP -> Span.NONE;
        };
    return new LoginTrace(request.within(span));
  }

  Span reply() {
    return request.span().child("reply");
  }

  void end(DoorResponse response) {
    switch (response) {
      case DoorAnswer answer -> end(answer);
      case JobsOffered _ -> request.span().with("rollcall.outcome", "offered").end();
    }
  }

  private void end(DoorAnswer answer) {
    Span span =
        request
            .span()
            .with("rollcall.decision_id", answer.adoptionId())
            .with("rollcall.outcome", answer.outcome().word())
            .with("rollcall.reason", answer.reason())
            .withPersonal("user.name", request.user());
    answer.job().ifPresent(job -> span.withPersonal("rollcall.job_id", job.toString()));
    if (answer.outcome() == DoorAnswer.Outcome.FAILED) {
      span.failed(answer.message());
    }
    span.end();
  }
}
