package dev.rollcall.agent.event;

import dev.rollcall.model.Decision;
import dev.rollcall.model.JobId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A predicted decision.
 *
 * @param decision that needs to know no more
 * @param doubt what is not known before somebody comes; empty when nothing of it matters
 * @param callersJobs between which the caller decides; empty if nobody would ask for it
 * @param optionsSeen whether the options are those of the last login; else they are the defaults
 * @param onlyWatched the rule by which nothing of it would be carried out
 */
public record Prediction(
    Decision decision,
    String doubt,
    List<JobId> callersJobs,
    boolean optionsSeen,
    Optional<String> onlyWatched) {
  /** So long it may take, as the user's groups may have to be asked for. */
  public static final Duration PATIENCE = Duration.ofMillis(3_500);

  public Prediction {
    callersJobs = List.copyOf(callersJobs);
  }

  public Prediction watchedBy(Optional<String> rule) {
    return new Prediction(decision, doubt, callersJobs, optionsSeen, rule);
  }

  /** With one more thing that is not known. */
  public Prediction alsoDoubting(String more) {
    String both = doubt.isEmpty() ? more : doubt + "; " + more;
    return new Prediction(decision, both, callersJobs, optionsSeen, onlyWatched);
  }
}
