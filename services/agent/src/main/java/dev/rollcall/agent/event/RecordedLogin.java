package dev.rollcall.agent.event;

import dev.rollcall.model.AdoptOptions;
import dev.rollcall.model.ProcessRef;
import java.time.Duration;
import java.util.Optional;

/**
 * A login in the log of logins.
 *
 * @param adoption names the extern step of its job; {@link dev.rollcall.port.Jobs#joined} knows
 *     better
 * @param process sshd's
 * @param hierarchy of the cgroup: "" for v2, else a v1 controller
 * @param cgroup of the session, as {@code /proc/PID/cgroup} shows it; empty unless adopted by the
 *     PAM module
 * @param options of the PAM line; absent if the record does not have them
 * @param answered whether an agent carried it out, and not the PAM module by itself
 * @param move how long the PAM module took from the reply of the agent, which decided, to the
 *     record; absent if it decided by itself
 * @param published whether it was published before this agent started: it is remembered only
 */
public record RecordedLogin(
    Adoption adoption,
    ProcessRef process,
    String hierarchy,
    String cgroup,
    Optional<AdoptOptions> options,
    boolean answered,
    Optional<Duration> move,
    boolean published) {
  /** The same login, marked as published before. */
  public RecordedLogin asPublished() {
    return new RecordedLogin(adoption, process, hierarchy, cgroup, options, answered, move, true);
  }
}
