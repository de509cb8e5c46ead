package dev.rollcall.gateway.node;

import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.proto.roll.v1.JobOnNode;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.JobMapper;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Collects the changes that one stream reports of its node's jobs into the whole lists that the
 * roll needs. A list of processes that is too long is cut, because users start processes. Too many
 * jobs are refused, because users cannot start jobs. Thread-safe.
 */
final class JobUpdates {
  static final int MOST_JOBS = 10_000;

  /** As many as Linux numbers on a machine of up to 32 CPUs (kernel.pid_max). */
  static final int MOST_PROCESSES_OF_A_JOB = 32_768;

  /** The most processes of all jobs together. */
  static final int MOST_PROCESSES = 65_536;

  /** A job as it stands now. */
  record Entry(Job job, String user, List<JobProcess> processes, Instant observedAt) {}

  /**
   * What was told of a job.
   *
   * @param processes how many of them are kept now
   * @param cut whether the node has told more processes than are kept
   */
  record Told(JobId job, int processes, boolean cut) {}

  /** useradd(8) allows 32 characters; directories allow dots, at signs and backslashes, too. */
  private static final Pattern USER = Pattern.compile("[\\p{Alnum}_][\\p{Alnum}._@\\\\$-]{0,63}");

  private static final class Known {
    private final Map<ProcessRef, StepId> processes = new LinkedHashMap<>();
    private Job job;
    private String user = "";
    private Instant observedAt;

    Known(Job job, Instant observedAt) {
      this.job = job;
      this.observedAt = observedAt;
    }
  }

  private final Map<JobId, Known> jobs = new HashMap<>();
  private final Map<StepId, StepId> steps = new HashMap<>();
  private int kept;

  /**
   * Takes in what a node tells of a job.
   *
   * @throws BadWordException naming what cannot be
   */
  synchronized Told told(JobOnNode message) {
    Job job = JobMapper.toModel(message.getJob(), "job.job");
    Instant observedAt = CallerMapper.instant(message.getObservedAt(), "job.observed_at");
    if (jobs.size() >= MOST_JOBS && !jobs.containsKey(job.id())) {
      throw new BadWordException(
          "job.job.job_id", job.id() + " is one more than " + MOST_JOBS + " jobs of a node");
    }
    Known known = jobs.computeIfAbsent(job.id(), _ -> new Known(job, observedAt));
    known.job = job;
    String user = message.getJob().getUser();
    known.user = USER.matcher(user).matches() ? user : "";
    known.observedAt = observedAt;
    Map<ProcessRef, StepId> processes = known.processes;
    if (message.getWhole()) {
      kept -= processes.size();
      processes.clear();
    }
    for (int i = 0; i < message.getGoneCount(); i++) {
      if (processes.remove(CallerMapper.toModel(message.getGone(i), "job.gone[" + i + "]"))
          != null) {
        kept--;
      }
    }
    boolean cut = false;
    for (int i = 0; i < message.getProcessesCount(); i++) {
      cut |=
          !keep(processes, JobMapper.toModel(message.getProcesses(i), "job.processes[" + i + "]"));
    }
    return new Told(job.id(), processes.size(), cut);
  }

  /** Empty if it is gone. */
  synchronized Optional<Entry> now(JobId job) {
    return Optional.ofNullable(jobs.get(job))
        .map(known -> {
          List<JobProcess> list = new ArrayList<>(known.processes.size());
          known.processes.forEach((process, step) -> list.add(new JobProcess(process, step, "")));
          return new Entry(known.job, known.user, list, known.observedAt);
        });
  }

  /** False: there are as many as are kept. */
  private boolean keep(Map<ProcessRef, StepId> processes, JobProcess came) {
    StepId step =
        steps.size() < MOST_JOBS ? steps.computeIfAbsent(came.step(), s -> s) : came.step();
    if (processes.containsKey(came.process())) {
      processes.put(came.process(), step);
      return true;
    }
    if (processes.size() >= MOST_PROCESSES_OF_A_JOB || kept >= MOST_PROCESSES) {
      return false;
    }
    processes.put(came.process(), step);
    kept++;
    return true;
  }

  synchronized void gone(JobId job) {
    Known known = jobs.remove(job);
    kept -= known == null ? 0 : known.processes.size();
  }
}
