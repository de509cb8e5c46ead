package dev.rollcall.model.usage;

import dev.rollcall.model.JobId;
import dev.rollcall.model.StepId;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The usage of a session, a step or a whole job on this node.
 *
 * @param step absent for a job
 * @param session the number of the session within its job; present for a session only
 * @param ended absent while it runs. A session that was closed and left processes behind has no end
 *     yet: what they use is counted until they are gone
 */
public record UsageRecord(
    Kind kind,
    JobId job,
    Optional<StepId> step,
    OptionalLong session,
    int uid,
    Instant began,
    Optional<Instant> ended,
    Usage usage) {
  /** Of what. */
  public enum Kind {
    SESSION,
    STEP,
    JOB
  }

  public UsageRecord {
    if (step.isPresent() == (kind == Kind.JOB) || session.isPresent() != (kind == Kind.SESSION)) {
      throw new IllegalArgumentException(kind + " with step " + step + " and session " + session);
    }
  }
}
