package dev.rollcall.jobs.container;

import dev.rollcall.model.JobId;
import java.util.Map;

/**
 * The job and the owner of a container.
 *
 * @param user the owner's name; the uid in decimal where it has none
 * @param variables further variables for the site's scripts
 */
record OwnerJob(JobId job, int uid, int gid, String user, Map<String, String> variables) {
  OwnerJob {
    variables = Map.copyOf(variables);
  }
}
