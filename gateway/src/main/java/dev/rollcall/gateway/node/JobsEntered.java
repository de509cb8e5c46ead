package dev.rollcall.gateway.node;

import dev.rollcall.gateway.work.SerialExecutor;
import dev.rollcall.model.JobId;
import dev.rollcall.port.Roll;
import dev.rollcall.proto.roll.v1.JobOnNode;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Enters what a node tells of its jobs into the roll, in order. On the stream's executor. */
final class JobsEntered {
  private static final System.Logger LOG = System.getLogger(JobsEntered.class.getName());

  private final Roll.Registration registration;
  private final Roll roll;
  private final SerialExecutor rollTasks;
  private final NodeStreamMeters meters;
  private final NodeUserNames users;
  private final JobUpdates jobs = new JobUpdates();
  private final Map<JobId, PendingUpdates<JobUpdates.Entry>> waiting = new ConcurrentHashMap<>();
  private boolean cutTold;

  JobsEntered(
      Roll.Registration registration,
      Roll roll,
      SerialExecutor rollTasks,
      NodeStreamMeters meters,
      NodeUserNames users) {
    this.registration = registration;
    this.roll = roll;
    this.rollTasks = rollTasks;
    this.meters = meters;
    this.users = users;
  }

  /**
   * Takes a job or a change of one.
   *
   * @param done runs when the roll has taken it
   * @return the number of its processes now
   */
  int told(JobOnNode message, Runnable done) {
    JobUpdates.Entry told = jobs.told(message);
    int processes = told.processes().size();
    users.note(told.job().uid(), message.getJob().getUser());
    tellOfCut(told);
    PendingUpdates<JobUpdates.Entry> before = waiting.get(told.job().id());
    if (before != null && before.replace(told, done)) {
      return processes;
    }
    PendingUpdates<JobUpdates.Entry> next = PendingUpdates.of(told, done);
    waiting.put(told.job().id(), next);
    rollTasks.add(() -> {
      JobUpdates.Entry latest = next.begin().getLast();
      waiting.remove(told.job().id(), next);
      roll.enterJob(registration, latest.job(), latest.processes(), latest.observedAt());
      next.done();
    });
    return processes;
  }

  void gone(JobId job) {
    jobs.gone(job);
  }

  /** Something else was told: what comes now is entered after it. */
  void inOrder() {
    waiting.clear();
  }

  /** Once for a stream. */
  private void tellOfCut(JobUpdates.Entry told) {
    if (told.cut() && !cutTold) {
      cutTold = true;
      meters.cut.increment();
      LOG.log(
          Level.WARNING,
          "node {0}: the roll keeps {1} processes of job {2}, and not all: at most {3} of a job"
              + " and {4} of a node",
          registration.node(),
          Integer.toString(told.processes().size()),
          told.job().id(),
          Integer.toString(JobUpdates.MOST_PROCESSES_OF_A_JOB),
          Integer.toString(JobUpdates.MOST_PROCESSES));
    }
  }
}
