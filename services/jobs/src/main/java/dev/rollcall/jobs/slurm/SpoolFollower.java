package dev.rollcall.jobs.slurm;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.JobList;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobLabel;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.Jobs.JobSpec;
import dev.rollcall.port.SessionPlace;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Keeps the list of Slurm's jobs on this node, by the sockets in SlurmdSpoolDir and by their step
 * daemons. {@link #noted} enters reports of hooks. Its monitor is held while jobs come and go, and
 * not while a daemon is asked.
 */
final class SpoolFollower implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(SpoolFollower.class.getName());

  /** No login waits for it. */
  private static final Duration FOR_FACTS = Duration.ofSeconds(1);

  /** For a prolog whose job never began, and whose epilog sent no report. */
  private static final Duration LONGEST_PROLOG = Duration.ofHours(1);

  private final Clock clock = Clock.systemUTC();
  private final Proc procfs;
  private final SlurmProcesses processes;
  private final SlurmCgroups cgroups;
  private final HookNotes notes;
  private final SlurmSessions sessions;
  private final SpoolDirectory directory; // under the monitor
  private final SpoolWatch watch;
  private final SlurmCounts counts;
  private final PlacementTracker placements;
  private final LoginsInFreeze logins;
  private final JobList list = new JobList();
  private final Map<JobId, SlurmJob> jobs = new ConcurrentHashMap<>();
  private final Unsettled unsettled = new Unsettled(System::nanoTime);

  /** Held while step daemons are asked, and never waited for under the monitor. */
  private final Object asking = new Object();

  private SpoolFollower(
      SlurmJobsConfig config,
      Proc procfs,
      SlurmCgroups cgroups,
      SlurmSessions sessions,
      SpoolWatch watch,
      SlurmCounts counts) {
    this.directory = new SpoolDirectory(config, counts);
    this.processes = new SlurmProcesses(cgroups, procfs);
    this.procfs = procfs;
    this.cgroups = cgroups;
    this.sessions = sessions;
    this.notes = sessions.notes();
    this.watch = watch;
    this.counts = counts;
    this.placements = new PlacementTracker(cgroups, watch, counts);
    this.logins = new LoginsInFreeze(cgroups, procfs, counts);
  }

  /**
   * Finds the jobs on this node, and follows changes from then on.
   *
   * @throws IOException naming the directory that cannot be watched
   */
  static SpoolFollower open(
      SlurmJobsConfig config,
      Proc procfs,
      SlurmCgroups cgroups,
      SlurmSessions sessions,
      SlurmCounts counts)
      throws IOException {
    var opened =
        new SpoolFollower(
            config, procfs, cgroups, sessions, SpoolWatch.open(config.spool()), counts);
    opened.rescan();
    opened.keepRuntimeDirectories();
    opened.watch.start(opened.new Heard());
    return opened;
  }

  private final class Heard implements SpoolWatch.Hearer {
    @Override
    public void spoolChanged() {
      rescan();
    }

    @Override
    public void frozenOrThawed(JobId job) {
      SlurmJob its = jobs.get(job);
      if (its != null) {
        thawOrFreeze(its);
        if (cgroups.emptied(job)) {
          mayEnd(job);
        }
      }
    }

    @Override
    public Optional<Duration> again() {
      return unsettled.next();
    }
  }

  /** Looks whether the job is frozen, and ends logins in it then. */
  void thawOrFreeze(SlurmJob job) {
    job.locked(() -> {
      boolean frozen = cgroups.frozen(job.id());
      if (job.state() == JobState.OPEN && frozen) {
        job.become(JobState.SUSPENDED);
      } else if (job.state() == JobState.SUSPENDED && !frozen) {
        job.become(JobState.OPEN);
      }
      if (frozen && job.state() == JobState.SUSPENDED) {
        logins.end(job);
      }
    });
  }

  /**
   * Compares what is in the spool directory with what is known, and asks the daemons of jobs that
   * are not settled. Hooks do not wait for the daemons.
   */
  void rescan() {
    synchronized (asking) {
      listed()
          .ifPresent(changed -> {
            changed.forEach(this::mayEnd);
            jobs.values().forEach(this::look);
          });
    }
  }

  private void mayEnd(JobId id) {
    find(id)
        .filter(SlurmJob::isKnown)
        .ifPresent(job -> list.tell(listener -> listener.mayEnd(job.job())));
  }

  /** Returns jobs that have other steps than before; empty if the directory cannot be listed. */
  private synchronized Optional<Set<JobId>> listed() {
    SpoolListing before = directory.last();
    Optional<String> unreadable = directory.unreadable();
    Optional<SpoolListing> listed = directory.list();
    if (!directory.unreadable().equals(unreadable)) {
      list.tell(Jobs.Listener::knownOrNot);
    }
    if (listed.isEmpty()) {
      return Optional.empty();
    }
    SpoolListing now = listed.get();
    // A step more or less may mean that the job begins or ends.
    Set<JobId> changed = now.changedSince(before);
    changed.forEach(unsettled::add);
    now.externs().forEach(this::hear);
    jobs.values().stream().filter(job -> !now.externs().containsKey(job.id())).forEach(this::gone);
    // A step's socket may outlast the extern step's, and with it the job.
    unsettled.keep(jobs.keySet());
    return Optional.of(changed);
  }

  /**
   * Whether a listing could show what is not known: a file came or went, or a job lost its socket.
   */
  private synchronized boolean isNewsPossible() {
    return directory.mayHaveChanged()
        || jobs.values().stream().anyMatch(job -> job.socket().isEmpty());
  }

  /** The reason why it is not known which jobs are here; empty if it is known. */
  Optional<String> unreadable() {
    return directory.unreadable();
  }

  /** A job whose socket was made anew is another run of it: Slurm requeued it. */
  private void hear(JobId id, SpoolListing.Extern socket) {
    SlurmJob known = jobs.get(id);
    boolean sameRun = known != null && !known.state().equals(JobState.CLOSED) && known.is(socket);
    if (known != null && !sameRun) {
      ended(known);
    }
    if (!sameRun) {
      notes.forgetEarlierRun(id, socket.made());
      jobs.put(id, fresh(id));
    }
    SlurmJob job = Objects.requireNonNull(jobs.get(id));
    if (job.socket().isEmpty()) {
      unsettled.add(id);
    }
    job.heardOf(socket);
  }

  private SlurmJob fresh(JobId id) {
    return notes
        .of(id)
        .map(note ->
            new SlurmJob(
                new Job(id, note.uid(), note.gid(), note.startedAt(), JobState.BEGINNING)
                    .with(JobLabel.of(note.environment())),
                list))
        .orElseGet(() -> new SlurmJob(SlurmJob.unknown(id), list));
  }

  private void look(SlurmJob job) {
    Optional<SpoolListing.Extern> socket = job.extern();
    if (socket.isEmpty() || !unsettled.due(job.id())) {
      return;
    }
    JobStep extern = new JobStep(job.id(), StepId.EXTERN);
    StepFacts facts = StepFacts.ask(socket.get().file(), extern, procfs, FOR_FACTS);
    switch (facts) {
      case StepFacts.Known known -> learn(job, socket.get(), known);
      case StepFacts.NobodyThere _ -> unsettled.later(job.id());
      case StepFacts.Silent(String reason) -> {
        counts.silent.increment();
        ifStill(job, socket.get(), () -> placements.trouble(job.id(), reason));
        unsettled.later(job.id());
      }
    }
  }

  private void learn(SlurmJob job, SpoolListing.Extern socket, StepFacts.Known known) {
    var placed = new AtomicBoolean();
    ifStill(job, socket, () -> placed.set(placements.learn(job.id(), known)));
    if (known.state() == StepDaemon.State.RUNNING) {
      // Before the job is open: an agent that is killed then has written its whole file.
      sessions.ask(job, socket.file(), FOR_FACTS);
    }
    ifStill(job, socket, () -> learn(job, known, placed.get(), socket.made()));
  }

  /** A job may have ended while its daemon was asked. */
  private synchronized void ifStill(SlurmJob job, SpoolListing.Extern socket, Runnable learned) {
    if (job.equals(jobs.get(job.id())) && job.extern().equals(Optional.of(socket))) {
      learned.run();
    }
  }

  private void learn(SlurmJob job, StepFacts.Known known, boolean placed, Instant made) {
    job.locked(() -> {
      Optional<HookNotes.Note> note = notes.of(job.id()).filter(it -> it.uid() == known.uid());
      int gid = note.map(HookNotes.Note::gid).or(known::gid).orElse(-1);
      Instant start = note.map(HookNotes.Note::startedAt).orElse(made);
      if (!job.isKnown()) {
        LOG.log(INFO, "job {0} of uid {1} is here", job.id(), Integer.toString(known.uid()));
      }
      job.is(new Job(job.id(), known.uid(), gid, start, job.state()));
      if (known.state() == StepDaemon.State.ENDING) {
        job.become(JobState.CLOSING);
      } else if (known.state() == StepDaemon.State.RUNNING && placed) {
        runs(job);
        return;
      }
      unsettled.later(job.id());
    });
  }

  /** Under the job's lock. */
  private void runs(SlurmJob job) {
    JobState before = job.state();
    sessions.runtime().make(job.job());
    Optional<SessionPlace> place = sessions.place(job);
    boolean whole = sessions.look(job, directory.last().hasScript(job.id()));
    placements.listenToSessions(job);
    job.become(cgroups.frozen(job.id()) ? JobState.SUSPENDED : JobState.OPEN);
    if (job.state() == JobState.SUSPENDED) {
      logins.end(job);
    }
    if (job.state() == before && !sessions.place(job).equals(place)) {
      job.tellAgain();
    }
    if (whole) {
      unsettled.settled(job.id());
    } else {
      unsettled.laterForAWhile(job.id());
    }
  }

  /** A session made the cgroups of sessions, if there were none. Under the job's lock. */
  void foundSessions(SlurmJob job) {
    sessions.lookForCgroups(job);
    placements.listenToSessions(job);
    if (sessions.place(job).isPresent()) {
      job.tellAgain();
    }
  }

  /** The job's extern step has no socket, or none yet. */
  private void gone(SlurmJob job) {
    job.locked(() -> {
      boolean neverThere = job.socket().isEmpty() && job.state() == JobState.BEGINNING;
      if (neverThere && notes.of(job.id()).isPresent()) {
        return; // the prolog runs
      }
      job.lostSocket();
      job.become(JobState.CLOSING);
      if (cgroups.exists(job.id()) && processes.any(job.id())) {
        unsettled.later(job.id());
      } else {
        ended(job);
      }
    });
  }

  private void ended(SlurmJob job) {
    jobs.remove(job.id(), job);
    placements.forget(job.id());
    sessions.runtime().remove(job.id());
    // A report of the prolog of the job's next run stays.
    if (!notes.isOfLaterRun(job)) {
      notes.forget(job.id());
    }
    unsettled.settled(job.id());
    job.become(JobState.CLOSED);
    LOG.log(INFO, "job {0} has ended", job.id());
  }

  /** The owner is known only from the step daemon, and not from a prolog. */
  boolean isGuessed(SlurmJob job) {
    return job.isKnown()
        && job.socket().isPresent()
        && job.state().compareTo(JobState.CLOSING) < 0
        && notes.of(job.id()).filter(note -> note.uid() == job.job().uid()).isEmpty();
  }

  /** Enters a job that a hook reported. */
  synchronized SlurmJob noted(JobSpec spec) {
    SlurmJob before = jobs.get(spec.id());
    if (before != null && before.state() == JobState.CLOSING && before.socket().isEmpty()) {
      ended(before);
      before = null;
    }
    boolean fresh = before == null;
    SlurmJob job = before == null ? fresh(spec.id()) : before;
    jobs.put(spec.id(), job);
    job.locked(() -> {
      // Before the prolog returns, so that programs of the site's can name it to tasks.
      sessions.runtime().make(job.job());
      if (fresh) {
        job.publish();
      } else {
        job.is(spec.job(job.state()));
        if (!spec.allocation().environment().isEmpty()) {
          job.tellAgain();
        }
      }
    });
    return job;
  }

  /** An epilog sent a report: the job ends now if its extern step's socket is gone. */
  synchronized void epilogTold(SlurmJob job) {
    if (job.socket().filter(Files::exists).isEmpty()) {
      notes.forget(job.id());
      job.lostSocket();
      gone(job);
    }
  }

  /**
   * Forgets prologs that never became jobs, and looks again at jobs that do not end or are
   * suspended. To be called now and then.
   */
  void reap() {
    Instant oldest = clock.instant().minus(LONGEST_PROLOG);
    for (Map.Entry<JobId, HookNotes.Note> entry : notes.all().entrySet()) {
      JobId id = entry.getKey();
      SlurmJob job = jobs.get(id);
      boolean waits = job == null || job.socket().isEmpty();
      if (waits && entry.getValue().teller() == HookNotes.Teller.GATEWAY) {
        notes.forget(id);
      } else if (waits && notes.toldAt(id).filter(oldest::isBefore).isEmpty()) {
        LOG.log(WARNING, "the prolog of job {0} ran, and no extern step followed", id);
        notes.forget(id);
      }
    }
    jobs.values().stream()
        .filter(it -> it.state() == JobState.SUSPENDED)
        .forEach(this::thawOrFreeze);
    if (isNewsPossible()) {
      rescan();
    }
    keepRuntimeDirectories();
  }

  /** Those of the jobs that are here, unless these are unknown. No job begins meanwhile. */
  private synchronized void keepRuntimeDirectories() {
    if (unreadable().isEmpty()) {
      sessions.runtime().keep(known());
    }
  }

  Optional<SlurmJob> find(JobId id) {
    return Optional.ofNullable(jobs.get(id));
  }

  /** Returns the jobs that are here, and those that only a prolog reported. */
  private Set<JobId> known() {
    Set<JobId> known = new HashSet<>(jobs.keySet());
    known.addAll(notes.all().keySet());
    return known;
  }

  Collection<SlurmJob> all() {
    return jobs.values();
  }

  JobList list() {
    return list;
  }

  /** The problem of the spool directory, or else of one job. */
  Optional<String> trouble() {
    return unreadable().or(placements::trouble);
  }

  /** Hears no more. */
  @Override
  public void close() throws IOException {
    watch.close();
  }
}
