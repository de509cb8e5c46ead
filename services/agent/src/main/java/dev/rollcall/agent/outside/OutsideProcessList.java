package dev.rollcall.agent.outside;

import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.AdoptionsWanted;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.OutsideProcess;
import dev.rollcall.agent.event.OutsideProcess.Attributed;
import dev.rollcall.agent.event.OutsideProcess.By;
import dev.rollcall.agent.event.OutsideProcessesFound;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.RollQuestion;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Connection;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Answers who is in no job. One look serves all who ask within two seconds, so a client that asks
 * without end costs no more than that. On the event loop alone.
 */
final class OutsideProcessList {
  static final Duration GOOD_FOR = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofMillis(500);
  private static final int MOST_CALLS = 16;

  private final Bus bus;
  private final OutsideProcesses outsideProcesses;
  private final WorkerExecutor worker;
  private final Predicate<InetAddress> isOwn;
  private final LongSupplier nanoClock;
  private @Nullable Future<OutsideProcessesFound> last;
  private long lookedNanos;

  OutsideProcessList(
      Bus bus,
      OutsideProcesses outsideProcesses,
      WorkerExecutor worker,
      Predicate<InetAddress> isOwn,
      LongSupplier nanoClock) {
    this.bus = bus;
    this.outsideProcesses = outsideProcesses;
    this.worker = worker;
    this.isOwn = isOwn;
    this.nanoClock = nanoClock;
  }

  Future<OutsideProcessesFound> answer(Optional<Integer> uid, boolean watching) {
    Future<OutsideProcessesFound> known = last;
    if (known == null || isOver(known)) {
      lookedNanos = nanoClock.getAsLong();
      known = look(watching);
      last = known;
    }
    return known.map(found -> found.only(uid));
  }

  private boolean isOver(Future<OutsideProcessesFound> known) {
    return known.failed()
        || (known.isComplete() && nanoClock.getAsLong() - lookedNanos > GOOD_FOR.toNanos());
  }

  private Future<OutsideProcessesFound> look(boolean watching) {
    return bus.ask(Queries.ADOPTIONS_LISTED, AdoptionsWanted.ALL, Bus.AT_ONCE)
        .compose(sessions ->
            worker.executeBlocking(() -> outsideProcesses.look(watching, sessions), false))
        .compose(this::withCallers);
  }

  /** For sessions without a known job: their callers may show the job. */
  private Future<OutsideProcessesFound> withCallers(OutsideProcessesFound found) {
    List<Adoption> open =
        found.outsideProcesses().stream()
            .filter(each -> each.attributed().isEmpty())
            .flatMap(each -> each.session().stream())
            .filter(session -> session.connection().isPresent())
            .distinct()
            .limit(MOST_CALLS)
            .toList();
    if (open.isEmpty()) {
      return Future.succeededFuture(found);
    }
    Map<String, CallerAnswer> callers = new HashMap<>();
    return Future.join(
            open.stream()
                .map(session ->
                    caller(session.connection().orElseThrow().flipped())
                        .onSuccess(answer -> callers.put(session.id(), answer)))
                .toList())
        .map(_ ->
            new OutsideProcessesFound(
                found.outsideProcesses().stream().map(each -> attributed(each, callers)).toList(),
                found.leftOut(),
                found.at()));
  }

  /** Never fails. */
  private Future<CallerAnswer> caller(Connection call) {
    boolean here = call.local().staysOnNode() || isOwn.test(call.local().address());
    return (here
            ? bus.ask(Queries.CALLER_LOCAL_FOR_USER, call, PATIENCE)
            : bus.ask(
                Queries.CALLER_IN_ROLL,
                new RollQuestion(call, RollQuestion.ANY_AGE, PATIENCE),
                Bus.AT_ONCE))
        .otherwise(cause -> new CallerAnswer.Unreachable(String.valueOf(cause.getMessage())));
  }

  /** Into the user's own jobs alone: others' numbers are not theirs to know. */
  private static OutsideProcess attributed(
      OutsideProcess outsideProcess, Map<String, CallerAnswer> callers) {
    Optional<JobId> job =
        outsideProcess
            .session()
            .map(session -> callers.get(session.id()))
            .flatMap(answer ->
                answer instanceof CallerAnswer.Found(var caller)
                        && caller.uid() == outsideProcess.uid()
                    ? caller.membership().jobStep()
                    : Optional.empty())
            .map(JobStep::job);
    return outsideProcess.attributed().isPresent()
        ? outsideProcess
        : job.map(known -> outsideProcess.attributed(new Attributed(known, By.CALL)))
            .orElse(outsideProcess);
  }
}
