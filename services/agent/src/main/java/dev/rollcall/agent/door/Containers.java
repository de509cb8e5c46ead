package dev.rollcall.agent.door;

import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.agent.event.DoorAnswer;
import dev.rollcall.agent.event.DoorAnswer.Outcome;
import dev.rollcall.agent.event.Phase;
import dev.rollcall.model.AdoptOptions.ActionAdoptFailure;
import dev.rollcall.model.JobId;
import dev.rollcall.model.Reason;
import dev.rollcall.port.JobNamespaces;
import dev.rollcall.port.Jobs;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.util.Map;

/**
 * The namespaces that an adopted session joins, opened on worker threads. Only the session phase
 * gets any: it runs in the process whose children are the session.
 */
final class Containers {
  private final Jobs jobs;
  private final WorkerExecutor workers;
  private final DoorMeters meters;

  /** An answer and what goes with it; whoever has it closes the namespaces. */
  record Furnished(DoorAnswer answer, JobNamespaces namespaces) {}

  Containers(Jobs jobs, WorkerExecutor workers, DoorMeters meters) {
    this.jobs = jobs;
    this.workers = workers;
    this.meters = meters;
  }

  /** Never fails: what cannot be opened is an adoption that failed. */
  Future<Furnished> furnish(AdoptionRequested request, DoorAnswer answer) {
    boolean joins =
        request.phase() == Phase.OPEN_SESSION
            && answer.outcome() == Outcome.ADOPTED
            && request.options().joinContainer();
    if (!joins || answer.job().isEmpty()) {
      return Future.succeededFuture(new Furnished(answer, JobNamespaces.NONE));
    }
    JobId job = answer.job().get();
    return workers
        .executeBlocking(() -> jobs.namespaces(job), false)
        .map(namespaces -> new Furnished(with(answer, namespaces.environment()), namespaces))
        .otherwise(cause -> {
          meters.fault(Fault.NO_CONTAINER, "job " + job + ": " + cause.getMessage());
          return new Furnished(without(request, answer, job), JobNamespaces.NONE);
        });
  }

  private static DoorAnswer with(DoorAnswer answer, Map<String, String> environment) {
    DoorAnswer.Gifts gifts = answer.gifts();
    for (var variable : environment.entrySet()) {
      gifts = gifts.with(variable.getKey(), variable.getValue());
    }
    return answer.with(gifts);
  }

  private static DoorAnswer without(AdoptionRequested request, DoorAnswer answer, JobId job) {
    return request.options().actionAdoptFailure() == ActionAdoptFailure.ALLOW
        ? answer
        : DoorAnswer.without(
            Outcome.DENIED,
            "the container of job " + job + " cannot be joined",
            answer.adoptionId(),
            Reason.ADOPT_FAILURE.word());
  }
}
