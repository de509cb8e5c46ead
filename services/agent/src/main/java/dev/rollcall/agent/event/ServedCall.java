package dev.rollcall.agent.event;

import dev.rollcall.wire.audit.CallOutcome;

/**
 * A finished call on {@code agent.sock} that was to change something, or was refused.
 *
 * @param uid of the peer, by the kernel's word, as is the next
 * @param pid of the process that connected; it may be another one by now
 */
public record ServedCall(int uid, int pid, CallOutcome outcome) {}
