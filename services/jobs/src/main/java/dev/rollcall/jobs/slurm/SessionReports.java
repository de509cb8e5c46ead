package dev.rollcall.jobs.slurm;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.port.JoinedSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Tells step daemons of sessions that are in the extern step already, because the PAM module or the
 * agent moved them, by the request with which {@link SlurmAdoption} has others moved: the daemon
 * moves such a session to where it is and accounts for it. A session whose step has ended is
 * killed. Thread-safe; no login waits for it.
 */
final class SessionReports implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(SessionReports.class.getName());
  private static final Duration FOR_AN_ANSWER = Duration.ofSeconds(1);
  private static final int SIGKILL = 9;

  /** A step that ends closes the connection, and answers that it ends when it is asked again. */
  private static final int ATTEMPTS = 3;

  /** Reports that may wait for their turn. */
  private static final int MOST_WAITING = 1_024;

  private static final Duration IDLE = Duration.ofSeconds(10);
  private static final Duration FOR_THE_LAST = Duration.ofSeconds(2);

  private final SlurmJobsConfig config;
  private final Proc procfs;
  private final SlurmCgroups cgroups;
  private final SlurmCounts counts;
  private final RecentProcesses reported;
  private final ThreadPoolExecutor later;

  SessionReports(
      SlurmJobsConfig config,
      Proc procfs,
      SlurmCgroups cgroups,
      SlurmCounts counts,
      RecentProcesses reported) {
    this.config = config;
    this.procfs = procfs;
    this.cgroups = cgroups;
    this.counts = counts;
    this.reported = reported;
    this.later =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE.toMillis(),
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(MOST_WAITING),
            Thread.ofPlatform().name("rollcall-slurm-reports").daemon().factory());
    later.allowCoreThreadTimeOut(true);
  }

  private sealed interface Answer {
    record Taken() implements Answer {}

    /**
     * @param reason for people
     */
    record Ended(String reason) implements Answer {}

    /**
     * @param reason for people
     */
    record Untold(String reason) implements Answer {}
  }

  /**
   * @param job if it is known here
   * @return the extern step; empty if the cgroup is not in it
   */
  Optional<JobStep> hear(JoinedSession session, Optional<SlurmJob> job) {
    JobStep extern = new JobStep(session.job(), StepId.EXTERN);
    if (!isIn(extern, session.hierarchy(), session.cgroup(), job.isPresent())) {
      return Optional.empty();
    }
    try {
      Optional<Pidfd> process = Pidfd.open(procfs, session.process());
      if (process.isPresent()) {
        try (Pidfd its = process.get()) {
          tell(its, session, job);
        }
      }
    } catch (IOException e) {
      untold(session.job(), session.process(), String.valueOf(e.getMessage()));
    }
    return Optional.of(extern);
  }

  /**
   * Tells the daemon of a session that the agent moved, once the login goes on. Waits for nothing,
   * as it is under the job's lock: a session too many is reported in its session phase or not at
   * all.
   */
  void later(JoinedSession session, SlurmJob job) {
    try {
      later.execute(() -> hear(session, Optional.of(job)));
    } catch (RejectedExecutionException e) {
      untold(
          session.job(),
          session.process(),
          MOST_WAITING + " reports wait for step daemons, or the agent ends");
    }
  }

  /** Waits for the reports that are due, 2 s at most. */
  @Override
  public void close() {
    later.shutdown();
    try {
      if (!later.awaitTermination(FOR_THE_LAST.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.log(
            WARNING,
            "{0} sessions are not reported to their step daemons, which do not answer",
            Integer.toString(later.shutdownNow().size()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isIn(JobStep extern, String hierarchy, String path, boolean known) {
    Optional<JobStep> step = cgroups.stepOf(hierarchy, path);
    return (step.isPresent() || known)
        ? step.equals(Optional.of(extern))
        : SlurmLayout.isExtern(hierarchy, path, extern.job());
  }

  private void tell(Pidfd process, JoinedSession session, Optional<SlurmJob> job)
      throws IOException {
    Optional<String> path =
        procfs.cgroups(process).flatMap((ProcessCgroups its) -> its.in(session.hierarchy()));
    if (!path.equals(Optional.of(session.cgroup())) || !reported.add(process.ref())) {
      return; // It has ended, or was moved on since, by who knows more.
    }
    long until = System.nanoTime() + FOR_AN_ANSWER.toNanos();
    Answer answer = ask(process, session.job(), job);
    for (int attempt = 1; attempt < ATTEMPTS && answer instanceof Answer.Untold; attempt++) {
      if (System.nanoTime() - until >= 0) {
        break; // It was silent: others wait for this thread.
      }
      answer = ask(process, session.job(), job);
    }
    switch (answer) {
      case Answer.Taken _ -> counts.reported.increment();
      case Answer.Ended(String reason) -> end(process, session, reason);
      case Answer.Untold(String reason) -> untold(session.job(), session.process(), reason);
    }
  }

  private Answer ask(Pidfd process, JobId id, Optional<SlurmJob> job) {
    Optional<Path> socket;
    try {
      socket = socket(id, job);
    } catch (IOException e) {
      return new Answer.Untold(String.valueOf(e.getMessage()));
    }
    if (socket.isEmpty()) {
      return new Answer.Ended("no step daemon has a socket in " + config.spool());
    }
    try (StepDaemon daemon = StepDaemon.greet(socket.get(), FOR_AN_ANSWER)) {
      if (daemon.state() == StepDaemon.State.ENDING) {
        job.ifPresent(it -> it.locked(() -> it.become(JobState.CLOSING)));
        return new Answer.Ended("its step is ending");
      }
      // Its pid may be another's from now on, if it ends within these microseconds and all other
      // pids are used up meanwhile.
      int result = process.alive() ? daemon.add(process.ref().pid()) : 0;
      return result == 0
          ? new Answer.Taken()
          : new Answer.Untold("the step daemon answers " + result);
    } catch (ErrnoException e) {
      if (!e.is(Errno.ECONNREFUSED) && !e.is(Errno.ENOENT)) {
        return new Answer.Untold(String.valueOf(e.getMessage()));
      }
      job.ifPresent(it -> it.locked(it::lostDaemon));
      return new Answer.Ended("no step daemon listens at " + socket.get());
    } catch (IOException e) {
      counts.silent.increment();
      return new Answer.Untold(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Empty: the job has none.
   *
   * @throws IOException it is not known whether it has one
   */
  private Optional<Path> socket(JobId id, Optional<SlurmJob> job) throws IOException {
    Optional<Path> known = job.flatMap(SlurmJob::socket);
    if (known.isPresent()) {
      return known;
    }
    if (!Files.isDirectory(config.spool())) {
      throw new IOException(config.spool() + " is not there");
    }
    return Optional.ofNullable(SpoolListing.read(config.spool(), config.node()).externs().get(id))
        .map(SpoolListing.Extern::file);
  }

  /** Kills a session that came after its job ended, as the end would have killed it. */
  private void end(Pidfd process, JoinedSession session, String reason) throws ErrnoException {
    if (process.signal(SIGKILL)) {
      counts.ended.increment();
      LOG.log(
          WARNING,
          "process {0} had entered job {1} and is killed: {2}",
          Integer.toString(process.ref().pid()),
          session.job(),
          reason);
    }
  }

  /** Counts and logs a session that could not be reported. */
  void untold(JobId job, ProcessRef process, String reason) {
    counts.unreported.increment();
    LOG.log(
        WARNING,
        "process {0} entered job {1}, but Slurm does not account for it: {2}",
        Integer.toString(process.pid()),
        job,
        reason);
  }
}
