package dev.rollcall.agent.login.decide;

import dev.rollcall.agent.event.ChoiceResult;
import dev.rollcall.agent.event.JobChosen;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.port.Jobs;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps the jobs that users chose for their next sessions, until those jobs end. Not thread-safe:
 * on the event loop of logins.
 */
public final class JobChoices {
  private final Map<Integer, JobId> byUid = new HashMap<>();
  private final Jobs jobs;

  public JobChoices(Jobs jobs) {
    this.jobs = jobs;
  }

  public ChoiceResult choose(JobChosen choice) {
    if (choice.job().isEmpty()) {
      byUid.remove(choice.uid());
      return new ChoiceResult.TakenBack();
    }
    JobId id = choice.job().get();
    Optional<Job> own =
        jobs.list().stream()
            .filter(job -> job.id().equals(id) && job.uid() == choice.uid())
            .findFirst();
    own.ifPresent(_ -> byUid.put(choice.uid(), id));
    return own.<ChoiceResult>map(ChoiceResult.Kept::new).orElseGet(ChoiceResult.NoSuchJob::new);
  }

  /** Takes over choices that an earlier agent had. */
  public void recall(Map<Integer, JobId> earlier) {
    earlier.forEach(byUid::putIfAbsent);
  }

  Optional<JobId> of(int uid) {
    return Optional.ofNullable(byUid.get(uid));
  }

  public void changed(Job job) {
    if (job.state() == JobState.CLOSING || job.state() == JobState.CLOSED) {
      byUid.remove(job.uid(), job.id());
    }
  }
}
