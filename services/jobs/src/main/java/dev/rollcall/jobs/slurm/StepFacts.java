package dev.rollcall.jobs.slurm;

import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.JobStep;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Holds the data of an extern step's daemon about its job, and the daemon's cgroups. */
sealed interface StepFacts {
  /**
   * @param gid of the owner's group for this job, if the daemon knows it
   */
  record Known(StepDaemon.State state, int uid, Optional<Integer> gid, Placement placement)
      implements StepFacts {}

  /** Nobody listens: the daemon has just begun, or died and left its socket. */
  record NobodyThere() implements StepFacts {}

  /**
   * @param reason for people
   */
  record Silent(String reason) implements StepFacts {}

  static StepFacts ask(Path socket, JobStep step, Proc procfs, Duration within) {
    try (StepDaemon daemon = StepDaemon.greet(socket, within)) {
      StepDaemon.State state = daemon.state();
      int uid = daemon.uid();
      Placement placement = placement(daemon.pid(), step, uid, procfs);
      return new Known(state, uid, gid(daemon), placement);
    } catch (ErrnoException e) {
      return e.is(Errno.ECONNREFUSED) || e.is(Errno.ENOENT)
          ? new NobodyThere()
          : new Silent("step daemon of " + step + ": " + e.getMessage());
    } catch (IOException e) {
      return new Silent("step daemon of " + step + ": " + e.getMessage());
    }
  }

  /** The last question: a daemon that does not know it hangs up, and the rest is known. */
  private static Optional<Integer> gid(StepDaemon daemon) {
    try {
      return daemon.gid();
    } catch (IOException notSaid) {
      return Optional.empty();
    }
  }

  private static Placement placement(int pid, JobStep step, int uid, Proc procfs) {
    Optional<ProcessCgroups> cgroups = pid == 0 ? Optional.empty() : procfs.cgroups(pid);
    return cgroups
        .map(its -> SlurmLayout.of(its, step, uid))
        .orElseGet(() ->
            new Placement.Unknown(
                "the daemon of step " + step + ", pid " + pid + ", is not visible in /proc"));
  }
}
