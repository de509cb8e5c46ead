package dev.rollcall.gateway.node;

import dev.rollcall.gateway.work.SerialExecutor;
import dev.rollcall.model.JobId;
import dev.rollcall.port.Roll;
import dev.rollcall.proto.roll.v1.JobOnNode;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;

/** Enters what a node tells of its jobs into the roll, in order. On the stream's executor. */
final class JobsEntered {
  private static final System.Logger LOG = System.getLogger(JobsEntered.class.getName());

  private final Roll.Registration registration;
  private final Roll roll;
  private final SerialExecutor rollTasks;
  private final NodeStreamMeters meters;
  private final IntConsumer grown;
  private final JobUpdates jobs = new JobUpdates();
  private final Map<JobId, PendingUpdates<JobId>> waiting = new ConcurrentHashMap<>();
  private boolean cutTold;

  /**
   * @param grown takes how many more processes of a job the roll took than it had when it was told
   */
  JobsEntered(
      Roll.Registration registration,
      Roll roll,
      SerialExecutor rollTasks,
      NodeStreamMeters meters,
      IntConsumer grown) {
    this.registration = registration;
    this.roll = roll;
    this.rollTasks = rollTasks;
    this.meters = meters;
    this.grown = grown;
  }

  /**
   * Takes a job or a change of one.
   *
   * @param done runs when the roll has taken it
   * @return the number of its processes now
   */
  int told(JobOnNode message, Runnable done) {
    JobUpdates.Told told = jobs.told(message);
    tellOfCut(told);
    PendingUpdates<JobId> before = waiting.get(told.job());
    if (before == null || !before.add(told.job(), done)) {
      enter(told, done);
    }
    return told.processes();
  }

  /** Its list of processes is made when the roll takes it: while that is busy, no list waits. */
  private void enter(JobUpdates.Told told, Runnable done) {
    JobId job = told.job();
    PendingUpdates<JobId> next = PendingUpdates.of(job, done);
    waiting.put(job, next);
    rollTasks.add(() -> {
      next.begin();
      waiting.remove(job, next);
      jobs.now(job).ifPresent(now -> enter(now, told.processes()));
      next.done();
    });
  }

  private void enter(JobUpdates.Entry now, int before) {
    roll.enterJob(registration, now.job(), now.user(), now.processes(), now.observedAt());
    grown.accept(Math.max(0, now.processes().size() - before));
  }

  void gone(JobId job) {
    jobs.gone(job);
  }

  /** Something else was told: what comes now is entered after it. */
  void inOrder() {
    waiting.clear();
  }

  /** Once for a stream. */
  private void tellOfCut(JobUpdates.Told told) {
    if (told.cut() && !cutTold) {
      cutTold = true;
      meters.cut.increment();
      LOG.log(
          Level.WARNING,
          "node {0}: the roll keeps {1} processes of job {2}, and not all: at most {3} of a job"
              + " and {4} of a node",
          registration.node(),
          Integer.toString(told.processes()),
          told.job(),
          Integer.toString(JobUpdates.MOST_PROCESSES_OF_A_JOB),
          Integer.toString(JobUpdates.MOST_PROCESSES));
    }
  }
}
