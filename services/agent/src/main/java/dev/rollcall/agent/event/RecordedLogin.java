package dev.rollcall.agent.event;

import dev.rollcall.model.ProcessRef;

/**
 * A login that the PAM module decided and carried out by itself.
 *
 * @param adoption names the extern step of its job; {@link dev.rollcall.port.Jobs#joined} knows
 *     better
 * @param process sshd's
 * @param hierarchy of the cgroup: "" for v2, else a v1 controller
 * @param cgroup of the session, as {@code /proc/PID/cgroup} shows it; empty unless adopted
 * @param published whether it was published before this agent started: it is remembered only
 */
public record RecordedLogin(
    Adoption adoption, ProcessRef process, String hierarchy, String cgroup, boolean published) {
  /** The same as one that was published before. */
  public RecordedLogin asPublished() {
    return new RecordedLogin(adoption, process, hierarchy, cgroup, true);
  }
}
