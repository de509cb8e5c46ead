package dev.rollcall.agent.event;

import dev.rollcall.model.Connection;
import dev.rollcall.model.Decision;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Reason;
import dev.rollcall.model.Worded;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A decision that was carried out, with the facts behind it.
 *
 * @param id unique on the node
 * @param user as PAM has it, as are service and remoteHost
 * @param job absent unless adopted
 * @param connection as this node sees it: local is sshd's end
 * @param took from the request of the PAM module to its reply
 * @param would Adopt or Deny, which was not carried out: the site only watches here
 */
public record Adoption(
    String id,
    int uid,
    String user,
    String service,
    String remoteHost,
    Phase phase,
    Outcome outcome,
    Optional<JobStep> job,
    Reason reason,
    String doubt,
    Optional<Connection> connection,
    Instant decidedAt,
    Duration took,
    Optional<Decision> would) {
  public enum Outcome implements Worded {
    ADOPTED,
    ALLOWED,
    DENIED,
    STEPPED_ASIDE,
    /** The agent could not do its work: the module applies action_generic_failure. */
    FAILED
  }

  /** The job that it would have entered, if the site only watches here. */
  public Optional<JobId> wouldJob() {
    return would.flatMap(decision ->
        decision instanceof Decision.Adopt(JobId into, _) ? Optional.of(into) : Optional.empty());
  }

  public Adoption in(JobStep step) {
    return with(Optional.of(step), doubt);
  }

  /** The same with a reason why the caller did not decide, for people. */
  public Adoption doubting(String why) {
    return with(job, why);
  }

  private Adoption with(Optional<JobStep> itsJob, String why) {
    return new Adoption(
        id,
        uid,
        user,
        service,
        remoteHost,
        phase,
        outcome,
        itsJob,
        reason,
        why,
        connection,
        decidedAt,
        took,
        would);
  }
}
