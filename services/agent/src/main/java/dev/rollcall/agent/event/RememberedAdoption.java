package dev.rollcall.agent.event;

import dev.rollcall.model.ProcessRef;

/**
 * A recent adoption.
 *
 * @param process the last that asked for it: sshd's
 */
public record RememberedAdoption(Adoption adoption, ProcessRef process) {}
