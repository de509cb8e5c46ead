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

/**
 * Collects the changes that one stream reports of its node's jobs into the whole lists that the
 * roll needs. A list of processes that is too long is cut, because users start processes. Too many
 * jobs are refused, because users cannot start jobs.
 */
final class JobUpdates {
  static final int MOST_JOBS = 10_000;

  /** As many as Linux numbers on a machine of up to 32 CPUs (kernel.pid_max). */
  static final int MOST_PROCESSES_OF_A_JOB = 32_768;

  /** The most processes of all jobs together. */
  static final int MOST_PROCESSES = 65_536;

  /**
   * A job as it stands now.
   *
   * @param cut whether the node has told more processes than are kept
   */
  record Entry(Job job, List<JobProcess> processes, Instant observedAt, boolean cut) {}

  private final Map<JobId, Map<ProcessRef, StepId>> jobs = new HashMap<>();
  private final Map<StepId, StepId> steps = new HashMap<>();
  private int kept;

  /**
   * Returns the job as it stands now.
   *
   * @throws BadWordException naming what cannot be
   */
  Entry told(JobOnNode message) {
    Job job = JobMapper.toModel(message.getJob(), "job.job");
    Instant observedAt = CallerMapper.instant(message.getObservedAt(), "job.observed_at");
    if (jobs.size() >= MOST_JOBS && !jobs.containsKey(job.id())) {
      throw new BadWordException(
          "job.job.job_id", job.id() + " is one more than " + MOST_JOBS + " jobs of a node");
    }
    Map<ProcessRef, StepId> processes = jobs.computeIfAbsent(job.id(), _ -> new LinkedHashMap<>());
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
    List<JobProcess> list = new ArrayList<>(processes.size());
    processes.forEach((process, step) -> list.add(new JobProcess(process, step, "")));
    return new Entry(job, list, observedAt, cut);
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

  void gone(JobId job) {
    Map<ProcessRef, StepId> processes = jobs.remove(job);
    kept -= processes == null ? 0 : processes.size();
  }
}
