package dev.rollcall.agent.event;

import dev.rollcall.model.Decision;

/**
 * A decision to carry out.
 *
 * @param decision Adopt, Allow, Deny or StepAside
 * @param doubt why the caller did not decide it; empty when it did, or was not asked
 */
public record AdoptionDecided(AdoptionRequested request, Decision decision, String doubt) {}
