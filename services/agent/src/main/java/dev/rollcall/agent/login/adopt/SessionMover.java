package dev.rollcall.agent.login.adopt;

import static java.lang.System.Logger.Level.WARNING;
import static java.util.Objects.requireNonNull;

import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.agent.event.LoginOutcome;
import dev.rollcall.agent.event.LoginOutcome.Decided;
import dev.rollcall.agent.event.Phase;
import dev.rollcall.agent.login.adopt.DecisionResult.Done;
import dev.rollcall.agent.login.adopt.DecisionResult.JobNotOpen;
import dev.rollcall.model.AdoptOptions.ActionAdoptFailure;
import dev.rollcall.model.AdoptPolicy;
import dev.rollcall.model.Decision;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.Reason;
import dev.rollcall.port.JobNamespaces;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.Jobs.AdoptResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Moves sessions into their jobs and opens the namespaces that they join. Thread-safe; its calls
 * block.
 *
 * @param users whether a login of a user may take its process out of another open job of theirs
 */
public record SessionMover(
    Jobs jobs,
    Jobs.From users,
    SessionRules rules,
    UserNamespaceSessions inUserNamespaces,
    AdoptionMeters meters) {
  private static final System.Logger LOG = System.getLogger(SessionMover.class.getName());

  /** Names the files of the namespaces that the session itself joins, for rollcall-enter. */
  private static final String CONTAINER = "ROLLCALL_CONTAINER";

  /**
   * @param id under which it will be recorded
   */
  DecisionResult move(AdoptionRequested request, Decision.Adopt decision, String doubt, String id) {
    if (request.deadline().passed()) {
      return late(id, doubt);
    }
    DecisionResult result =
        users == Jobs.From.NO_JOB
            ? ownJob(request)
                .map(own -> moved(request, new Decision.Adopt(own, Reason.CALLER_JOB), "", id))
                .orElseGet(() -> moved(request, decision, doubt, id))
            : moved(request, decision, doubt, id);
    if (!(result instanceof Done done) || !request.deadline().passed()) {
      return result;
    }
    done.outcome().close();
    String detail =
        done.step()
            .map(step -> "its process entered job " + step.job() + ", but after the deadline")
            .orElse(done.detail());
    LOG.log(
        WARNING,
        "process {0} of uid {1}, a session that has failed: {2}",
        Integer.toString(request.process().ref().pid()),
        Integer.toUnsignedString(request.uid()),
        detail);
    return late(id, detail);
  }

  /** With PAM services such as su, a login's process may be in a job: its user then calls there. */
  private Optional<JobId> ownJob(AdoptionRequested request) {
    return jobs.membershipOf(request.process().ref())
        .flatMap(Membership::jobStep)
        .map(JobStep::job)
        .filter(id ->
            jobs.list().stream()
                .anyMatch(job -> job.id().equals(id) && job.uid() == request.uid()));
  }

  private DecisionResult moved(
      AdoptionRequested request, Decision.Adopt decision, String doubt, String id) {
    AdoptResult result =
        requireNonNull(
            meters.moves.record(
                () -> jobs.adopt(request.process(), decision.into(), request.uid())));
    return switch (result) {
      case AdoptResult.Adopted adopted -> joined(request, decision.reason(), doubt, adopted, id);
      case AdoptResult.NotOpen(String reason) -> {
        meters.notOpen.increment();
        yield new JobNotOpen(reason);
      }
      case AdoptResult.Kept(String reason) -> failed(request, decision.into(), reason, id);
      case AdoptResult.Failed(String reason) -> failed(request, decision.into(), reason, id);
    };
  }

  /** The module has given up and refused the session, or admitted it as its line says. */
  private Done late(String id, String detail) {
    meters.late.increment();
    String message = "the time for this session ran out before it could be moved";
    return new Done(new LoginOutcome.Failed(id, message), detail, Optional.empty());
  }

  private static Done failed(AdoptionRequested request, JobId into, String reason, String id) {
    LOG.log(
        WARNING,
        "session {0}: process {1} of uid {2} could not be moved into job {3}: {4}",
        id,
        Integer.toString(request.process().ref().pid()),
        Integer.toString(request.uid()),
        into,
        reason);
    Decision instead = AdoptPolicy.afterFailedAdoption(request.options(), into);
    return new Done(Adopter.unmoved(instead, id), reason, Optional.empty());
  }

  private Done joined(
      AdoptionRequested request,
      Reason reason,
      String doubt,
      AdoptResult.Adopted adopted,
      String id) {
    if (adopted.cgroup().getBytes(StandardCharsets.UTF_8).length
        > LoginOutcome.Adopted.LONGEST_CGROUP) {
      // The module could not check half a path.
      String message =
          "the job's cgroup path is longer than " + LoginOutcome.Adopted.LONGEST_CGROUP + " bytes";
      return new Done(new LoginOutcome.Failed(id, message), message, Optional.empty());
    }
    var outcome =
        new LoginOutcome.Adopted(
            id,
            reason,
            adopted.step().job(),
            adopted.hierarchy(),
            adopted.cgroup(),
            new SessionSetups(rules).of(request, reason, doubt, adopted, id),
            JobNamespaces.NONE);
    // Only this phase runs in the process whose children are the session.
    boolean joins = request.phase() == Phase.OPEN_SESSION && request.options().joinContainer();
    Decided given = joins ? inContainer(request, outcome) : outcome;
    return given instanceof LoginOutcome.Denied(_, _, String message)
        ? new Done(given, message, Optional.empty())
        : new Done(given, doubt, Optional.of(adopted.step()));
  }

  private Decided inContainer(AdoptionRequested request, LoginOutcome.Adopted outcome) {
    try {
      JobNamespaces namespaces = jobs.namespaces(outcome.job());
      return switch (namespaces) {
        case JobNamespaces.OwnersAlone own -> afterSshd(request, outcome, own);
        case JobNamespaces.Closed(String why) ->
            without(request, outcome, "job " + outcome.job() + " " + why, why);
        default -> with(outcome, namespaces.environment(), namespaces);
      };
    } catch (IOException | RuntimeException e) {
      String message = "the container of job " + outcome.job() + " cannot be joined";
      return without(request, outcome, message, String.valueOf(e.getMessage()));
    }
  }

  private static Decided with(
      LoginOutcome.Adopted outcome, Map<String, String> environment, JobNamespaces namespaces) {
    return new LoginOutcome.Adopted(
        outcome.adoptionId(),
        outcome.reason(),
        outcome.job(),
        outcome.hierarchy(),
        outcome.cgroup(),
        SessionSetups.with(outcome.setup(), environment),
        namespaces);
  }

  /** Root does not join namespaces of a user's: the session does, when it is the user's. */
  private Decided afterSshd(
      AdoptionRequested request, LoginOutcome.Adopted outcome, JobNamespaces.OwnersAlone own) {
    return switch (inUserNamespaces) {
      case FORCE_COMMAND -> {
        var environment = new LinkedHashMap<>(own.environment());
        environment.put(CONTAINER, own.files().toString());
        yield with(outcome, environment, JobNamespaces.NONE);
      }
      case REFUSE ->
          without(
              request,
              outcome,
              "job "
                  + outcome.job()
                  + " has a user namespace, which sshd does not enter: an administrator has to set"
                  + " ForceCommand in sshd_config and user_namespace_sessions in agent.yaml"
                  + " (docs/containers.md)",
              "user_namespace_sessions is refuse");
    };
  }

  private Decided without(
      AdoptionRequested request, LoginOutcome.Adopted outcome, String message, String cause) {
    meters.noContainer.increment();
    LOG.log(
        WARNING,
        "session {0} of uid {1} does not join the container of job {2}: {3}",
        outcome.adoptionId(),
        Integer.toString(request.uid()),
        outcome.job(),
        cause);
    return request.options().actionAdoptFailure() == ActionAdoptFailure.ALLOW
        ? outcome
        : new LoginOutcome.Denied(outcome.adoptionId(), Reason.ADOPT_FAILURE, message);
  }
}
