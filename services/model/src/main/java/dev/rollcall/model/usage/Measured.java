package dev.rollcall.model.usage;

import dev.rollcall.model.JobId;
import dev.rollcall.model.StepId;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A measurement of a job, a step or a session.
 *
 * @param step absent for a job
 * @param session the number of the session within its job; present for a session only
 */
public record Measured(
    JobId job, Optional<StepId> step, OptionalLong session, Instant began, Measures measures) {}
