package dev.rollcall.agent.login.decide;

import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.agent.event.LoginOutcome;
import dev.rollcall.model.Decision;
import dev.rollcall.model.ProcessRef;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Keeps decisions of agent and PAM module for the later phases of the same login. Not thread-safe:
 * on the event loop of logins.
 */
public record DecidedLogins(LoginMemory<Earlier> logins) {
  /**
   * A decision that was carried out.
   *
   * @param process which asked first
   * @param adoptionId under which it is recorded
   */
  public record Earlier(Decision decision, String doubt, ProcessRef process, String adoptionId) {}

  /**
   * The earlier decision about a login, if the same process asks again: an agent may have recorded
   * it, and ended before it answered.
   */
  Optional<Earlier> ofSameProcess(AdoptionRequested request) {
    return logins.of(request).filter(earlier -> earlier.process().equals(request.process().ref()));
  }

  /** Keeps a decision that let the session in: a refused login has no next phase. */
  void keep(
      AdoptionRequested request, Decision decision, String doubt, LoginOutcome.Decided outcome) {
    boolean letIn =
        outcome instanceof LoginOutcome.Adopted
            || outcome instanceof LoginOutcome.Allowed
            || decision instanceof Decision.Unenforced;
    if (letIn) {
      logins.keep(
          request, new Earlier(decision, doubt, request.process().ref(), outcome.adoptionId()));
    }
  }

  /**
   * The same for a login of the log.
   *
   * @param process which asked
   * @param now of the same clock as the login's time
   */
  public void keep(Adoption adoption, ProcessRef process, Instant now) {
    adoption
        .connection()
        .ifPresent(connection ->
            decision(adoption)
                .ifPresent(decision ->
                    logins.keep(
                        connection,
                        adoption.uid(),
                        new Earlier(decision, adoption.doubt(), process, adoption.id()),
                        Duration.between(adoption.decidedAt(), now))));
  }

  private static Optional<Decision> decision(Adoption adoption) {
    return switch (adoption.outcome()) {
      case ADOPTED -> adoption.job().map(step -> new Decision.Adopt(step.job(), adoption.reason()));
      case ALLOWED -> Optional.of(new Decision.Allow(adoption.reason()));
      case DENIED, STEPPED_ASIDE, FAILED -> Optional.empty();
    };
  }
}
