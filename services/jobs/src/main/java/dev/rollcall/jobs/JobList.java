package dev.rollcall.jobs;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.usage.Incident;
import dev.rollcall.port.Jobs;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** An immutable list of the jobs that are not CLOSED, for any thread. */
public final class JobList {
  private static final System.Logger LOG = System.getLogger(JobList.class.getName());

  private final List<Jobs.Listener> listeners = new CopyOnWriteArrayList<>();
  private final Map<JobId, Job> jobs = new TreeMap<>();
  private volatile List<Job> snapshot = List.of();

  public List<Job> snapshot() {
    return snapshot;
  }

  public void listen(Jobs.Listener listener) {
    listeners.add(listener);
  }

  /**
   * Enters a change and publishes it. Called under the job's lock, so one job's changes keep order.
   */
  public void changed(Job job) {
    put(job);
    tell(job, listener -> listener.changed(job));
  }

  /** Reports an incident of a job. */
  public void incident(Incident incident) {
    tell(listener -> listener.incident(incident));
  }

  /** Reports usage or an incident. */
  public void tell(Consumer<Jobs.Listener> what) {
    tell("usage", what);
  }

  private void tell(Object about, Consumer<Jobs.Listener> what) {
    for (Jobs.Listener listener : listeners) {
      try {
        what.accept(listener);
      } catch (RuntimeException e) {
        // A fault of a listener must not leave a job half ended.
        LOG.log(WARNING, "listener of " + about, e);
      }
    }
  }

  private synchronized void put(Job job) {
    if (job.state() == JobState.CLOSED) {
      jobs.remove(job.id());
    } else {
      jobs.put(job.id(), job);
    }
    snapshot = jobs.values().stream().sorted(Job.OLDEST_FIRST).toList();
  }
}
