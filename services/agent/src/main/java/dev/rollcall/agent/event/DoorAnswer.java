package dev.rollcall.agent.event;

import dev.rollcall.model.JobId;
import dev.rollcall.model.Reason;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * What the door tells the module.
 *
 * @param message one line for the user; empty: nothing to say
 * @param hierarchy "" for v2, else the v1 controller whose line of /proc/PID/cgroup shows cgroup
 * @param environment for the session, in order
 * @param reason a word of docs/adoption.md
 */
public record DoorAnswer(
    Outcome outcome,
    String message,
    Optional<JobId> job,
    String hierarchy,
    String cgroup,
    SequencedMap<String, String> environment,
    String adoptionId,
    String reason) {

  /** How it ends for the session. */
  public enum Outcome {
    ADOPTED,
    ALLOWED,
    DENIED,
    STEP_ASIDE,
    /** The agent could not do its work: the module applies action_generic_failure. */
    FAILED
  }

  public DoorAnswer {
    environment = new LinkedHashMap<>(environment);
  }

  /** An answer that names no job. */
  public static DoorAnswer without(
      Outcome outcome, String message, String adoptionId, String reason) {
    return new DoorAnswer(
        outcome,
        message,
        Optional.empty(),
        "",
        "",
        new LinkedHashMap<>(Map.of()),
        adoptionId,
        reason);
  }

  /** The agent could not do its work. */
  public static DoorAnswer failed(String message) {
    return without(Outcome.FAILED, message, "", Reason.GENERIC_FAILURE.word());
  }
}
