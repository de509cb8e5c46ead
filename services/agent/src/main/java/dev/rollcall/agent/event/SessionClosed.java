package dev.rollcall.agent.event;

import dev.rollcall.port.PinnedProcess;

/**
 * sshd closes the session that this process leads.
 *
 * @param process stays pinned until the answer
 */
public record SessionClosed(PinnedProcess process) {}
