package dev.rollcall.agent.door;

import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.DoorAnswer;
import dev.rollcall.agent.event.DoorAnswer.Outcome;
import dev.rollcall.agent.event.Phase;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.model.Reason;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** Tells of sessions that the door answers otherwise than it was carried out, if it was at all. */
final class RefusedSessions {
  private final Bus bus;

  RefusedSessions(Bus bus) {
    this.bus = bus;
  }

  /**
   * @param decided what decide answered
   * @param given what the module is told
   */
  void answered(AdoptionRequested request, DoorAnswer decided, DoorAnswer given) {
    if (given.outcome() == Outcome.FAILED && given.adoptionId().isEmpty()) {
      undecided(request, given.message());
    } else if (given.outcome() != decided.outcome()) {
      tell(request, given, Reason.ADOPT_FAILURE);
    }
  }

  /** Nothing was decided: the module applies action_generic_failure. */
  void undecided(AdoptionRequested request, String why) {
    tell(request, DoorAnswer.failed(why), Reason.GENERIC_FAILURE);
  }

  private void tell(AdoptionRequested request, DoorAnswer given, Reason reason) {
    if (request.phase() != Phase.ACCOUNT && request.phase() != Phase.OPEN_SESSION) {
      return;
    }
    bus.tell(
        Topics.LOGIN_REFUSED,
        new Adoption(
            given.adoptionId(),
            request.uid(),
            request.user(),
            request.service(),
            request.remoteHost(),
            request.phase(),
            given.outcome(),
            Optional.empty(),
            reason,
            given.message(),
            request.connection(),
            Clock.systemUTC().instant(),
            Duration.ofNanos(System.nanoTime() - request.receivedNanos()),
            Optional.empty()));
  }
}
