package dev.rollcall.agent.decide;

import dev.rollcall.agent.decide.Deciding.Held;
import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.LoginTaken;
import dev.rollcall.agent.event.LoginsTaken;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.RecordedLogin;
import dev.rollcall.agent.event.RecordedLogins;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.model.Decision;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Takes in logins that the PAM module decided, as if they were decided here: a later question of
 * the same login is answered as its repetition, and its caller is expected no more. On {@link
 * DecideVerticle}'s event loop.
 */
final class DecidedByModule {
  private final Bus bus;
  private final KeptForLogins<Held> held;
  private final Clock clock;
  private final DecideMeters meters;

  DecidedByModule(Bus bus, KeptForLogins<Held> held, Clock clock, DecideMeters meters) {
    this.bus = bus;
    this.held = held;
    this.clock = clock;
    this.meters = meters;
  }

  Future<LoginsTaken> take(RecordedLogins logins) {
    List<Future<Optional<String>>> taken = logins.logins().stream().map(this::take).toList();
    return Future.all(taken)
        .map(_ ->
            new LoginsTaken(
                taken.stream()
                    .flatMap(each -> each.result().stream())
                    .collect(Collectors.toSet())));
  }

  /** The adoption id of a login that is published. */
  private Future<Optional<String>> take(RecordedLogin login) {
    return bus.ask(Queries.ADOPTION_RECORDED, login, Bus.AT_ONCE)
        .map(how -> {
          Adoption adoption = login.adoption();
          if (how != LoginTaken.REPEATED) {
            hold(adoption);
          }
          if (how != LoginTaken.PUBLISHED) {
            return Optional.empty();
          }
          meters.decided(adoption.reason());
          adoption
              .connection()
              .ifPresent(connection -> bus.tell(Topics.LOGIN_ARRIVED, connection.flipped()));
          return Optional.of(adoption.id());
        });
  }

  private void hold(Adoption adoption) {
    adoption
        .connection()
        .ifPresent(connection ->
            decision(adoption)
                .ifPresent(decision ->
                    held.keep(
                        connection,
                        adoption.uid(),
                        new Held(decision, adoption.doubt(), adoption.id(), /* traceparent= */ ""),
                        Duration.between(adoption.decidedAt(), clock.instant()))));
  }

  /** Of one that was let in: a refused login has no next phase. */
  private static Optional<Decision> decision(Adoption adoption) {
    return switch (adoption.outcome()) {
      case ADOPTED -> adoption.job().map(step -> new Decision.Adopt(step.job(), adoption.reason()));
      case ALLOWED -> Optional.of(new Decision.Allow(adoption.reason()));
      case DENIED, STEP_ASIDE, FAILED -> Optional.empty();
    };
  }
}
