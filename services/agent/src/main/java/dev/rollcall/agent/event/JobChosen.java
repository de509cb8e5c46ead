package dev.rollcall.agent.event;

import dev.rollcall.model.JobId;
import java.util.Optional;

/**
 * A user's choice of the job that their next sessions enter.
 *
 * @param job absent: takes an earlier choice back
 */
public record JobChosen(int uid, Optional<JobId> job) {}
