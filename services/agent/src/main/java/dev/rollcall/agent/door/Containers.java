package dev.rollcall.agent.door;

import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.agent.event.DoorAnswer;
import dev.rollcall.agent.event.DoorAnswer.Outcome;
import dev.rollcall.agent.event.DoorResponse;
import dev.rollcall.agent.event.Phase;
import dev.rollcall.model.AdoptOptions.ActionAdoptFailure;
import dev.rollcall.model.JobId;
import dev.rollcall.model.Reason;
import dev.rollcall.port.JobNamespaces;
import dev.rollcall.port.Jobs;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.nio.file.Path;
import java.util.Map;

/**
 * The namespaces that an adopted session joins, opened on worker threads. Only the session phase
 * gets any: it runs in the process whose children are the session. Those that root does not join
 * are named by a variable, and joined by the session itself.
 */
final class Containers {
  /** What rollcall-enter is told by. */
  static final String VARIABLE = "ROLLCALL_CONTAINER";

  private final Jobs jobs;
  private final UserNamespaceSessions inUserNamespaces;
  private final WorkerExecutor workers;
  private final DoorMeters meters;

  /** A response and what goes with it; whoever has it closes the namespaces. */
  record Furnished(DoorResponse response, JobNamespaces namespaces) {}

  Containers(
      Jobs jobs,
      UserNamespaceSessions inUserNamespaces,
      WorkerExecutor workers,
      DoorMeters meters) {
    this.jobs = jobs;
    this.inUserNamespaces = inUserNamespaces;
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
        .map(namespaces ->
            namespaces instanceof JobNamespaces.OwnersAlone(Path files, var environment)
                ? new Furnished(
                    afterSshd(request, answer, job, files, environment), JobNamespaces.NONE)
                : new Furnished(with(answer, namespaces.environment()), namespaces))
        .otherwise(cause -> {
          meters.fault(Fault.NO_CONTAINER, "job " + job + ": " + cause.getMessage());
          String message = "the container of job " + job + " cannot be joined";
          return new Furnished(without(request, answer, message), JobNamespaces.NONE);
        });
  }

  private static DoorAnswer with(DoorAnswer answer, Map<String, String> environment) {
    DoorAnswer.Gifts gifts = answer.gifts();
    for (var variable : environment.entrySet()) {
      gifts = gifts.with(variable.getKey(), variable.getValue());
    }
    return answer.with(gifts);
  }

  private DoorAnswer afterSshd(
      AdoptionRequested request,
      DoorAnswer answer,
      JobId job,
      Path files,
      Map<String, String> environment) {
    return switch (inUserNamespaces) {
      case FORCE_COMMAND -> {
        DoorAnswer more = with(answer, environment);
        yield more.with(more.gifts().with(VARIABLE, files.toString()));
      }
      case REFUSE -> {
        meters.fault(Fault.NO_CONTAINER, "job " + job + ": user_namespace_sessions is refuse");
        yield without(
            request,
            answer,
            "job "
                + job
                + " has a user namespace, which sshd does not enter: an administrator has to set"
                + " ForceCommand in sshd_config and user_namespace_sessions in agent.yaml"
                + " (docs/containers.md)");
      }
    };
  }

  private static DoorAnswer without(AdoptionRequested request, DoorAnswer answer, String message) {
    return request.options().actionAdoptFailure() == ActionAdoptFailure.ALLOW
        ? answer
        : DoorAnswer.without(
            Outcome.DENIED, message, answer.adoptionId(), Reason.ADOPT_FAILURE.word());
  }
}
