package dev.rollcall.jobs.own;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.journal.JobJournal;
import dev.rollcall.jobs.journal.JobJournalLine;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.jobs.tree.Leaves;
import dev.rollcall.jobs.usage.Beginnings;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.PinnedProcess;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Moves a process into an open job, to a leaf of its own in the extern step. A process that is in
 * the job already stays where it is. {@link MovesBySessions} is for sessions that move themselves.
 * Runs under the job's lock.
 */
record MovesByAgent(
    JobTree tree, Leaves leaves, Proc procfs, JobJournal journal, InstantSource clock) {
  private static final System.Logger LOG = System.getLogger(MovesByAgent.class.getName());

  /** Numbers that one journal line covers, so that few logins wait for a disk. */
  private static final long SESSIONS_PER_LINE = 64;

  AdoptResult admit(NativeJob job, PinnedProcess process) throws IOException {
    Optional<ProcessCgroups> before = procfs.checkedCgroups(process);
    if (before.isEmpty()) {
      return new AdoptResult.Failed("process " + process.ref().pid() + " has ended");
    }
    Optional<JobStep> already =
        tree.stepOf(before.get()).filter(step -> step.job().equals(job.id()));
    if (already.isPresent() && isEverywhere(job.id(), before.get())) {
      String name = tree.identity().name();
      return new AdoptResult.Adopted(
          already.get(), name, before.get().in(name).orElseThrow(), job.setup());
    }
    JobStep step = already.orElse(new JobStep(job.id(), StepId.EXTERN));
    String leaf =
        already
            .flatMap(in -> tree.leafOf(in, before.get()))
            .orElseGet(() -> Leaves.session(nextSession(job)));
    return moved(job, process, step, leaf, before.get());
  }

  private AdoptResult moved(
      NativeJob job, PinnedProcess process, JobStep step, String leaf, ProcessCgroups before)
      throws IOException {
    leaves.makeLeaf(step, leaf);
    Beginnings.note(tree.identity().leaf(step, leaf), clock.instant());
    AdoptResult result = new ProcessMove(tree, procfs, process, step, leaf).run(before);
    if (!(result instanceof AdoptResult.Adopted(_, String hierarchy, String cgroup, _))) {
      leaves.removed(step, leaf);
      return result;
    }
    if (step.step().equals(StepId.EXTERN)) {
      Leaves.sessionOf(leaf).ifPresent(job.sessions::addLast);
    }
    return new AdoptResult.Adopted(step, hierarchy, cgroup, job.setup());
  }

  /** An agent that died between two hierarchies leaves a process in the job by the first alone. */
  private boolean isEverywhere(JobId job, ProcessCgroups cgroups) {
    return tree.hierarchies().stream()
        .allMatch(hierarchy ->
            cgroups
                .in(hierarchy.name())
                .filter(path -> path.startsWith(hierarchy.pathOf(hierarchy.job(job)) + "/"))
                .isPresent());
  }

  private long nextSession(NativeJob job) {
    long number = job.nextSession();
    if (job.beyondReserved(number)) {
      long upTo = number + SESSIONS_PER_LINE - 1;
      try {
        journal.appendUnforced(new JobJournalLine.Sessions(job.id(), upTo));
        job.reserveTo(upTo);
      } catch (IOException e) {
        LOG.log(
            WARNING, "session {0} not journalled: {1}", job.id() + "." + number, e.getMessage());
      }
    }
    return number;
  }
}
