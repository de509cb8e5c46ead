package dev.rollcall.agent.event;

import dev.rollcall.model.Decision;
import dev.rollcall.model.JobId;
import java.util.List;

/**
 * What would be decided.
 *
 * @param decision that needs to know no more
 * @param doubt what is not known before somebody comes; empty when nothing of it matters
 * @param callersJobs between which the caller decides; empty if nobody would ask for it
 * @param optionsSeen whether the options are those of the last login; else they are the defaults
 */
public record Prediction(
    Decision decision, String doubt, List<JobId> callersJobs, boolean optionsSeen) {
  public Prediction {
    callersJobs = List.copyOf(callersJobs);
  }
}
