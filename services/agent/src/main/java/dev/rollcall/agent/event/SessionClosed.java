package dev.rollcall.agent.event;

import dev.rollcall.port.PinnedProcess;

/**
 * sshd closes the session whose leader is this process.
 *
 * @param process stays pinned until the answer
 */
public record SessionClosed(PinnedProcess process) {}
