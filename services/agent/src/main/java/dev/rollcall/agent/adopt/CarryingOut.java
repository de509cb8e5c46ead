package dev.rollcall.agent.adopt;

import static java.util.Objects.requireNonNull;

import dev.rollcall.agent.event.AdoptionDecided;
import dev.rollcall.agent.event.DoorAnswer;
import dev.rollcall.model.AdoptPolicy;
import dev.rollcall.model.Decision;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Reason;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.wire.trace.Span;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.util.Optional;

/** Moves sessions into their jobs, on worker threads, and says what came of it. */
final class CarryingOut {
  private static final System.Logger LOG = System.getLogger(CarryingOut.class.getName());

  /** What came of a decision. */
  sealed interface Result {
    /**
     * It is carried out.
     *
     * @param reason of what happened in the end, which a failed move changes
     */
    record Ended(DoorAnswer answer, Reason reason, String doubt, Optional<JobStep> job)
        implements Result {}

    record NotOpen(String reason) implements Result {}
  }

  private final Jobs jobs;
  private final Answers answers;
  private final WorkerExecutor workers;
  private final AdoptMeters meters;

  CarryingOut(Jobs jobs, Answers answers, WorkerExecutor workers, AdoptMeters meters) {
    this.jobs = jobs;
    this.answers = answers;
    this.workers = workers;
    this.meters = meters;
  }

  Future<Result> carryOut(AdoptionDecided decided, String id) {
    return decided.decision() instanceof Decision.Adopt(JobId into, _)
        ? workers.executeBlocking(() -> move(decided, into, id), false)
        : Future.succeededFuture(ended(decided.decision(), decided.doubt(), id));
  }

  private static Result.Ended ended(Decision decision, String doubt, String id) {
    return new Result.Ended(
        Answers.unmoved(decision, id), decision.reason(), doubt, Optional.empty());
  }

  private Result move(AdoptionDecided decided, JobId into, String id) {
    if (decided.request().deadline().passed()) {
      // The module has given up and refused the session, or let it in as its line says.
      meters.late.increment();
      return new Result.Ended(
          Answers.late(id), Reason.GENERIC_FAILURE, decided.doubt(), Optional.empty());
    }
    Span moving = decided.request().span().child("move");
    AdoptResult result =
        requireNonNull(meters.moves.record(() -> jobs.adopt(decided.request().process(), into)));
    if (result instanceof AdoptResult.Failed(String why)) {
      moving.failed(why);
    }
    moving.end();
    return switch (result) {
      case AdoptResult.Adopted adopted ->
          new Result.Ended(
              answers.adopted(decided, adopted, id),
              decided.decision().reason(),
              decided.doubt(),
              Optional.of(adopted.step()));
      case AdoptResult.NotOpen(String reason) -> {
        meters.notOpen.increment();
        yield new Result.NotOpen(reason);
      }
      case AdoptResult.Kept(String reason) -> failed(decided, into, reason, id);
      case AdoptResult.Failed(String reason) -> failed(decided, into, reason, id);
    };
  }

  private static Result failed(AdoptionDecided decided, JobId into, String reason, String id) {
    LOG.log(
        System.Logger.Level.WARNING,
        "session {0}: process {1} of uid {2} could not be moved into job {3}: {4}",
        id,
        Integer.toString(decided.request().process().ref().pid()),
        Integer.toString(decided.request().uid()),
        into,
        reason);
    return ended(AdoptPolicy.afterFailedAdoption(decided.request().options(), into), reason, id);
  }
}
