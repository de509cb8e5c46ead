package dev.rollcall.agent.event;

import dev.rollcall.model.JobId;
import dev.rollcall.model.ProcessRef;

/**
 * A user's process chooses the job for its next calls.
 *
 * @param uid whose process it is
 */
public record CallChosen(ProcessRef process, int uid, JobId job) {}
