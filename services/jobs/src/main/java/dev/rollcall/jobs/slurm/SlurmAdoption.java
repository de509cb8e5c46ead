package dev.rollcall.jobs.slurm;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.JoinedSession;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.port.SessionPlace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Lets a process into the extern step of a job, and believes only what it reads back. Where the
 * place of sessions is known, it moves the process there, and reports it to the step daemon
 * afterwards. Else it asks the daemon to adopt the process. Runs under the job's lock.
 */
record SlurmAdoption(
    SlurmJobsConfig config,
    Proc procfs,
    SlurmCgroups cgroups,
    SlurmSessions sessions,
    SlurmCounts counts,
    RecentProcesses reported,
    SessionReports reports) {
  private static final System.Logger LOG = System.getLogger(SlurmAdoption.class.getName());

  /** The answer of the daemon, and the display if one was requested. */
  private record Asked(Optional<String> failure, StepDaemon.Display display) {
    static Asked failed(String reason) {
      return new Asked(Optional.of(reason), StepDaemon.Display.NONE);
    }
  }

  AdoptResult admit(SlurmJob job, PinnedProcess process) {
    Optional<ProcessCgroups> before = procfs.checkedCgroups(process);
    if (before.isEmpty()) {
      return new AdoptResult.Failed("process " + process.ref().pid() + " has ended");
    }
    if (cgroups.frozen(job.id())) {
      job.become(JobState.SUSPENDED);
      return new AdoptResult.NotOpen(job.standing());
    }
    Path socket = job.socket().orElseThrow();
    if (stepIn(job, before.get()).isPresent()) {
      try {
        return entered(job, process, socket, completed(job, process, before.get()));
      } catch (IOException e) {
        return new AdoptResult.Failed("it is in a part of the job's cgroups: " + e.getMessage());
      }
    }
    return sessions
        .place(job)
        .flatMap(place -> placed(job, process, place, before.get()))
        .orElseGet(() -> moved(job, process, socket, before.get()));
  }

  /** Empty: it could not be moved, and is where it was. */
  private Optional<AdoptResult> placed(
      SlurmJob job, PinnedProcess process, SessionPlace place, ProcessCgroups before) {
    int pid = process.ref().pid();
    try {
      for (SessionPlace.Cgroup each : place.cgroups()) {
        new CgroupDirectory(each.directory()).add(pid);
      }
    } catch (IOException e) {
      if (!process.alive()) {
        return Optional.of(endedMeanwhile(pid));
      }
      LOG.log(INFO, "the step daemon is asked: {0}", e.getMessage());
      cgroups.writeBack(pid, before);
      return Optional.empty();
    }
    Optional<ProcessCgroups> after = procfs.cgroups(process);
    if (after.isEmpty()) {
      return Optional.of(endedMeanwhile(pid));
    }
    if (stepIn(job, after.get()).isEmpty()) {
      return Optional.empty();
    }
    AdoptResult result = checked(job, pid, before, after.get(), StepDaemon.Display.NONE);
    if (result instanceof AdoptResult.Adopted adopted) {
      reports.later(
          new JoinedSession(
              job.id(), process.ref(), adopted.hierarchy(), adopted.cgroup(), Instant.now()),
          job);
    }
    return Optional.of(result);
  }

  /**
   * A process that is in the job already: in an earlier phase of the login, or as a child of what
   * is there. Or the PAM module moved it, and could not record that: nobody has reported it.
   */
  private AdoptResult entered(
      SlurmJob job, PinnedProcess process, Path socket, ProcessCgroups its) {
    if (!enteredByItself(job, process, its) || !reported.add(process.ref())) {
      return adopted(job, its, display(job, socket));
    }
    Asked asked = ask(job, socket, process.ref().pid());
    if (job.state() == JobState.CLOSING) {
      return new AdoptResult.NotOpen(job.standing());
    }
    if (asked.failure().isEmpty()) {
      counts.reported.increment();
    } else {
      reports.untold(job.id(), process.ref(), asked.failure().get());
    }
    return adopted(job, its, asked.display());
  }

  /**
   * A session that systemd has moved out of the v1 hierarchies of its own controllers, after an
   * earlier phase of the login: into those again.
   */
  private ProcessCgroups completed(SlurmJob job, PinnedProcess process, ProcessCgroups its)
      throws IOException {
    List<SessionPlace.Cgroup> missing =
        stepIn(job, its).filter(extern(job)::equals).stream()
            .flatMap(_ -> sessions.place(job).stream())
            .flatMap(place -> place.cgroups().stream())
            .filter(each -> !isIn(each, its))
            .toList();
    for (SessionPlace.Cgroup each : missing) {
      new CgroupDirectory(each.directory()).add(process.ref().pid());
    }
    return missing.isEmpty() ? its : procfs.cgroups(process).orElse(its);
  }

  private static boolean isIn(SessionPlace.Cgroup cgroup, ProcessCgroups its) {
    return its.in(cgroup.hierarchy())
        .filter(path -> path.equals(cgroup.path()) || path.startsWith(cgroup.path() + "/"))
        .isPresent();
  }

  private static JobStep extern(SlurmJob job) {
    return new JobStep(job.id(), StepId.EXTERN);
  }

  /** Whether it is in the extern step, and its parent is not. */
  private boolean enteredByItself(SlurmJob job, PinnedProcess process, ProcessCgroups its) {
    Optional<JobStep> parents =
        procfs
            .parent(process.ref().pid())
            .flatMap(procfs::cgroups)
            .flatMap(parent -> stepIn(job, parent));
    return stepIn(job, its).equals(Optional.of(extern(job))) && parents.isEmpty();
  }

  private AdoptResult moved(
      SlurmJob job, PinnedProcess process, Path socket, ProcessCgroups before) {
    int pid = process.ref().pid();
    Asked asked = ask(job, socket, pid);
    if (job.state() == JobState.CLOSING) {
      return new AdoptResult.NotOpen(job.standing());
    }
    Optional<ProcessCgroups> after = procfs.cgroups(process);
    if (after.isEmpty()) {
      return endedMeanwhile(pid);
    }
    if (stepIn(job, after.get()).isEmpty()) {
      String reason =
          asked.failure().orElseGet(() -> "step daemon answered that it took the process");
      String told = "%s; /proc/%d/cgroup has %s".formatted(reason, pid, after.get().paths());
      return asked.failure().isPresent() && config.writeCgroups()
          ? written(job, process, before, told)
          : new AdoptResult.Failed(told);
    }
    counts.byRequest.increment();
    reported.add(process.ref());
    return checked(job, pid, before, after.get(), asked.display());
  }

  private static AdoptResult endedMeanwhile(int pid) {
    return new AdoptResult.Failed("process " + pid + " ended while it was moved");
  }

  private Asked ask(SlurmJob job, Path socket, int pid) {
    try (StepDaemon daemon = StepDaemon.greet(socket, config.patience())) {
      if (daemon.state() == StepDaemon.State.ENDING) {
        job.become(JobState.CLOSING);
        return Asked.failed(job.standing());
      }
      int result = daemon.add(pid);
      Optional<String> failure =
          result == 0
              ? Optional.empty()
              : Optional.of("step daemon of job " + job.id() + " answers " + result);
      return new Asked(failure, displayOf(daemon));
    } catch (IOException e) {
      counts.silent.increment();
      return Asked.failed("step daemon of job " + job.id() + ": " + e.getMessage());
    }
  }

  private StepDaemon.Display display(SlurmJob job, Path socket) {
    if (job.extras.filter(StepExtras::none).isPresent()) {
      return StepDaemon.Display.NONE;
    }
    try (StepDaemon daemon = StepDaemon.greet(socket, config.patience())) {
      return displayOf(daemon);
    } catch (IOException e) {
      return StepDaemon.Display.NONE;
    }
  }

  /** A session without its display is a session all the same. */
  private static StepDaemon.Display displayOf(StepDaemon daemon) {
    try {
      return daemon.display();
    } catch (IOException e) {
      LOG.log(WARNING, "cannot read the display of a step: {0}", e.getMessage());
      return StepDaemon.Display.NONE;
    }
  }

  /**
   * The fallback: into the cgroups of the extern step by hand, in each hierarchy in which Slurm
   * made it one.
   */
  private AdoptResult written(
      SlurmJob job, PinnedProcess process, ProcessCgroups before, String reason) {
    int pid = process.ref().pid();
    try {
      cgroups.write(job.id(), pid);
    } catch (IOException e) {
      cgroups.writeBack(pid, before);
      return new AdoptResult.Failed(reason + "; " + e.getMessage());
    }
    Optional<ProcessCgroups> after = procfs.cgroups(process);
    if (after.isEmpty() || stepIn(job, after.get()).isEmpty()) {
      return new AdoptResult.Failed(reason + "; and not by writing cgroup.procs");
    }
    counts.byWriting.increment();
    LOG.log(
        WARNING,
        "process {0} entered job {1} by cgroup.procs, but Slurm does not account for it: {2}",
        Integer.toString(pid),
        job.id(),
        reason);
    return checked(job, pid, before, after.get(), StepDaemon.Display.NONE);
  }

  /** A process that was moved into a job just frozen would keep its user waiting: back with it. */
  private AdoptResult checked(
      SlurmJob job,
      int pid,
      ProcessCgroups before,
      ProcessCgroups after,
      StepDaemon.Display display) {
    if (!cgroups.frozen(job.id())) {
      return adopted(job, after, display);
    }
    job.become(JobState.SUSPENDED);
    cgroups.writeBack(pid, before);
    LOG.log(INFO, "job {0} was suspended while a process entered: it is moved back", job.id());
    return new AdoptResult.NotOpen(job.standing());
  }

  private Optional<JobStep> stepIn(SlurmJob job, ProcessCgroups its) {
    return cgroups.stepOf(its).filter(step -> step.job().equals(job.id()));
  }

  private AdoptResult adopted(SlurmJob job, ProcessCgroups its, StepDaemon.Display display) {
    String hierarchy = cgroups.place(job.id()).orElseThrow().hierarchy();
    JobStep step = stepIn(job, its).orElse(extern(job));
    return new AdoptResult.Adopted(
        step, hierarchy, its.in(hierarchy).orElse(""), sessions.setup(job, display));
  }
}
