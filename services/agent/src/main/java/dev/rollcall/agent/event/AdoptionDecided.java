package dev.rollcall.agent.event;

import dev.rollcall.model.Decision;
import java.util.Optional;

/**
 * A decision to carry out.
 *
 * @param decision Adopt, Allow, Deny or StepAside
 * @param doubt why the caller did not decide it; empty when it did, or was not asked
 * @param adoptionId of the same session's account phase, when this repeats its decision
 */
public record AdoptionDecided(
    AdoptionRequested request, Decision decision, String doubt, Optional<String> adoptionId) {}
