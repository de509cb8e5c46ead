package dev.rollcall.jobs;

import static java.lang.System.Logger.Level.DEBUG;

import dev.rollcall.jobs.tree.Hierarchy;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.jobs.tree.Leaves;
import dev.rollcall.jobs.tree.Procfs;
import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.port.Jobs.AdoptResult;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Moves a process of the agent's own into a job that nobody sees, and out again, some times: the
 * first login after a start meets code that has run, and a kernel that has moved. The job is in no
 * list and in no journal; if the agent dies meanwhile, the next start removes what is left.
 */
record Rehearsal(JobTree tree, Leaves leaves, Procfs procfs, Admission admission, Signals signals) {
  private static final System.Logger LOG = System.getLogger(Rehearsal.class.getName());

  /** The last number there is; the batch systems begin with 1. */
  static final JobId NOBODYS = new JobId(4_294_967_295L);

  /** So often that what a move does is compiled. */
  private static final int ROUNDS = 120;

  private static final String LONGEST_SECONDS = "20";
  private static final Duration TO_END = Duration.ofSeconds(1);

  /**
   * @throws IOException naming what failed; nothing is left behind, or it is logged
   */
  void run() throws IOException {
    Process mover = new ProcessBuilder("sleep", LONGEST_SECONDS).start();
    try (Pidfd pinned =
        Pidfd.open(procfs.proc(), Math.toIntExact(mover.pid()))
            .orElseThrow(() -> new IOException("sleep ended at once"))) {
      leaves.makeJob(NOBODYS);
      rounds(pinned);
    } finally {
      mover.destroyForcibly();
      Teardown teardown = new Teardown(tree, signals, NOBODYS);
      if (!teardown.run(BoundedWait.of(TO_END))) {
        LOG.log(DEBUG, "the rehearsal's cgroup stays: {0}", teardown.obstacle());
      }
    }
  }

  private void rounds(Pidfd pinned) throws IOException {
    Job job = new Job(NOBODYS, 0, 0, Instant.EPOCH, JobState.OPEN);
    NativeJob nobodys = new NativeJob(job, Allocation.NONE, new JobList());
    nobodys.reserveTo(ROUNDS); // nothing is journalled of it
    Optional<ProcessCgroups> home = procfs.cgroups(pinned.ref());
    for (int round = 0; round < ROUNDS && home.isPresent(); round++) {
      if (!(admission.admit(nobodys, pinned) instanceof AdoptResult.Adopted)) {
        return;
      }
      // No account is given of what nobody did.
      nobodys.sessions.clear();
      for (Hierarchy hierarchy : tree.hierarchies()) {
        String path = home.get().in(hierarchy.name()).orElse("/");
        new CgroupDirectory(hierarchy.mount().directoryOf(path)).add(pinned.ref().pid());
      }
    }
  }
}
