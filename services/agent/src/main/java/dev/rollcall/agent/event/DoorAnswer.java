package dev.rollcall.agent.event;

import dev.rollcall.model.JobId;
import dev.rollcall.model.Reason;
import dev.rollcall.model.allocation.Rlimit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;

/**
 * What the door tells the module.
 *
 * @param message one line for the user; empty: nothing to say
 * @param hierarchy "" for v2, else the v1 controller whose line of /proc/PID/cgroup shows cgroup
 * @param gifts of the job, for the session
 * @param reason a word of docs/adoption.md
 */
public record DoorAnswer(
    Outcome outcome,
    String message,
    Optional<JobId> job,
    String hierarchy,
    String cgroup,
    Gifts gifts,
    String adoptionId,
    String reason)
    implements DoorResponse {

  /**
   * What a session gets of its job.
   *
   * @param environment in order
   * @param gid of the group that joins the session's others
   * @param rlimits of its processes
   */
  public record Gifts(
      SequencedMap<String, String> environment, OptionalInt gid, List<Rlimit> rlimits) {
    public static final Gifts NONE =
        new Gifts(new LinkedHashMap<>(), OptionalInt.empty(), List.of());

    public Gifts {
      environment = new LinkedHashMap<>(environment);
      rlimits = List.copyOf(rlimits);
    }

    /**
     * With one more variable. It is the first, as those that do not fit are left out at the end.
     */
    public Gifts with(String name, String value) {
      SequencedMap<String, String> more = new LinkedHashMap<>(environment);
      more.putFirst(name, value);
      return new Gifts(more, gid, rlimits);
    }
  }

  /** How it ends for the session. */
  public enum Outcome {
    ADOPTED,
    ALLOWED,
    DENIED,
    STEP_ASIDE,
    /** The agent could not do its work: the module applies action_generic_failure. */
    FAILED;

    /** For meters and traces. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** The same with other gifts. */
  public DoorAnswer with(Gifts others) {
    return new DoorAnswer(outcome, message, job, hierarchy, cgroup, others, adoptionId, reason);
  }

  /** An answer that names no job. */
  public static DoorAnswer without(
      Outcome outcome, String message, String adoptionId, String reason) {
    return new DoorAnswer(
        outcome, message, Optional.empty(), "", "", Gifts.NONE, adoptionId, reason);
  }

  /** The agent could not do its work. */
  public static DoorAnswer failed(String message) {
    return without(Outcome.FAILED, message, "", Reason.GENERIC_FAILURE.word());
  }
}
