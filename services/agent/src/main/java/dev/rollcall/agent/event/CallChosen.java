package dev.rollcall.agent.event;

import dev.rollcall.model.JobId;
import dev.rollcall.model.ProcessRef;

/**
 * A user's process has its next calls ask for a job of theirs.
 *
 * @param uid whose process it is
 */
public record CallChosen(ProcessRef process, int uid, JobId job) {}
