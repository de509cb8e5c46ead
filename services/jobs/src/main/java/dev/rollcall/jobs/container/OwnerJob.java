package dev.rollcall.jobs.container;

import dev.rollcall.model.JobId;

/**
 * The job and the owner of a container.
 *
 * @param user the owner's name; the uid in decimal where it has none
 */
record OwnerJob(JobId job, int uid, int gid, String user) {}
