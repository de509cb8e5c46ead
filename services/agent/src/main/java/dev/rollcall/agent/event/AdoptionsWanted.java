package dev.rollcall.agent.event;

import dev.rollcall.model.JobId;
import java.util.Optional;

/**
 * Asks for recent adoptions.
 *
 * @param uid whose they must be; absent: anybody's
 * @param job into which they must be; absent: into any, or none
 */
public record AdoptionsWanted(Optional<Integer> uid, Optional<JobId> job) {}
