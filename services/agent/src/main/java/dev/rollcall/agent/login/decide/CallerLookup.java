package dev.rollcall.agent.login.decide;

import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.Deadline;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.RollQuestion;
import dev.rollcall.agent.login.adopt.UserTurns;
import dev.rollcall.agent.login.caller.PendingCallers;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Connection;
import dev.rollcall.model.ProcessRef;
import io.vertx.core.Future;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Finds the caller of a login: on this node, among the announced ones, or in the roll.
 *
 * @param connectionAge of the connection that a process of sshd serves
 * @param turns of users at the searches on this node: without eBPF, one takes half a second where
 *     the user has very many descriptors
 */
public record CallerLookup(
    Bus bus,
    PendingCallers pending,
    Function<ProcessRef, Duration> connectionAge,
    UserTurns turns,
    Predicate<InetAddress> isOwn,
    DecisionMeters meters) {
  /**
   * A caller is pushed when its node sends the SYN, so at most this long before sshd accepts: one
   * SYN may be lost. Not much longer, because a port can be used again. The module has the same
   * bound, DECISION_FRESH_NS.
   */
  static final Duration BEFORE_ACCEPT = Duration.ofSeconds(2);

  /** Never fails: what cannot be asked is Unreachable. */
  Future<CallerAnswer> find(AdoptionRequested request) {
    if (request.connection().isEmpty()) {
      String problem = request.connectionProblem();
      return Future.succeededFuture(
          new CallerAnswer.Unknown(problem.isEmpty() ? "the connection is not known" : problem));
    }
    Connection call = request.connection().get().flipped();
    Future<CallerAnswer> answer =
        isHere(call) ? fromHere(call, request) : fromElsewhere(call, request);
    return answer
        .recover(cause ->
            Future.succeededFuture(
                new CallerAnswer.Unreachable("could not ask: " + cause.getMessage())))
        .onSuccess(meters::asked);
  }

  private boolean isHere(Connection call) {
    return call.local().staysOnNode() || isOwn.test(call.local().address());
  }

  /** Also with little patience: as a rule it takes far less than a millisecond. */
  private Future<CallerAnswer> fromHere(Connection call, AdoptionRequested request) {
    long patience =
        Math.max(
            request.deadline().leftBeforeMove().toMillis(),
            request.deadline().left().toMillis() / 2);
    return turns
        .run(
            request.uid(),
            () ->
                request.deadline().passed()
                    ? Future.<CallerAnswer>failedFuture("the login is over")
                    : bus.ask(Queries.CALLER_LOCAL, call, Bus.AT_ONCE))
        .timeout(Math.max(1, patience), TimeUnit.MILLISECONDS)
        .recover(cause ->
            cause instanceof TimeoutException
                ? Future.succeededFuture(
                    new CallerAnswer.Unreachable("the call was not found on this node in time"))
                : Future.failedFuture(cause));
  }

  private Future<CallerAnswer> fromElsewhere(Connection call, AdoptionRequested request) {
    Duration mostAge = connectionAge.apply(request.process().ref()).plus(BEFORE_ACCEPT);
    return pending
        .take(call, mostAge)
        .map(caller -> Future.<CallerAnswer>succeededFuture(new CallerAnswer.Found(caller)))
        .orElseGet(() -> fromTheRoll(call, mostAge, request));
  }

  private Future<CallerAnswer> fromTheRoll(
      Connection call, Duration mostAge, AdoptionRequested request) {
    Duration patience = request.deadline().leftBeforeMove();
    if (patience.isZero()) {
      return Future.succeededFuture(
          new CallerAnswer.Unreachable("there was no time left to ask the gateway"));
    }
    // The connection keeps the patience itself and names the gateway; the bus guards against its
    // loss alone.
    return bus.ask(
        Queries.CALLER_IN_ROLL,
        new RollQuestion(call, mostAge, patience),
        patience.plus(Deadline.FOR_THE_MOVE.dividedBy(2)));
  }
}
