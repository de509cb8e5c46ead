package dev.rollcall.jobs.slurm;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.JobList;
import dev.rollcall.jobs.tree.Procfs;
import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.model.CgroupIds;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.model.usage.UsageRecord;
import dev.rollcall.port.JobNamespaces;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.PinnedProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The jobs of a node whose cgroups Slurm owns. A job is here as long as its extern step's daemon
 * listens in SlurmdSpoolDir, or its prolog said so and has not ended; {@link SpoolWatch} hears when
 * that changes, {@link StepFacts} asks the daemon, {@link SlurmAdoption} is the way in. Slurm alone
 * begins, ends, suspends and limits jobs.
 */
public final class SlurmJobs implements Jobs, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(SlurmJobs.class.getName());
  private static final String SLURMS = "Slurm owns the jobs of this node: ";

  /** No login waits for it. */
  private static final Duration FOR_FACTS = Duration.ofSeconds(1);

  /** For a prolog that never became a job, and whose epilog was never heard of. */
  private static final Duration LONGEST_PROLOG = Duration.ofHours(1);

  private final SlurmJobsConfig config;
  private final Clock clock;
  private final Map<JobId, SlurmJob> jobs = new ConcurrentHashMap<>();
  private final JobList list = new JobList();
  private final Unsettled unsettled = new Unsettled(System::nanoTime);
  private final Map<JobId, String> troubles = new ConcurrentHashMap<>();
  private final SlurmCounts counts = new SlurmCounts();
  private final Procfs procfs;
  private final SlurmCgroups cgroups;
  private final HookNotes notes;
  private final SlurmAdoption adoption;
  private final SlurmUsage usage;
  private final SpoolWatch watch;

  /** Under the monitor. */
  private SpoolListing last = SpoolListing.EMPTY;

  private SlurmJobs(
      SlurmJobsConfig config, SlurmCgroups cgroups, HookNotes notes, SpoolWatch watch) {
    this.config = config;
    this.clock = Clock.systemUTC();
    this.procfs = new Procfs(config.proc());
    this.cgroups = cgroups;
    this.notes = notes;
    this.watch = watch;
    this.usage = new SlurmUsage(cgroups);
    this.adoption = new SlurmAdoption(config, procfs, cgroups, notes, counts);
  }

  /**
   * Finds the jobs that are here, and hears of changes from then on.
   *
   * @throws IOException naming the path: the state directory cannot be written, or procfs read
   */
  public static SlurmJobs open(SlurmJobsConfig config) throws IOException {
    var cgroups = new SlurmCgroups(CgroupMounts.read(config.proc()));
    HookNotes notes = HookNotes.open(config.stateDirectory().resolve("slurm"));
    SlurmJobs opened = new SlurmJobs(config, cgroups, notes, SpoolWatch.open(config.spool()));
    opened.rescan();
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
      }
    }

    @Override
    public Optional<Duration> again() {
      return unsettled.next();
    }
  }

  private void thawOrFreeze(SlurmJob job) {
    job.lock.lock();
    try {
      boolean frozen = cgroups.frozen(job.id());
      if (job.state() == JobState.OPEN && frozen) {
        job.become(JobState.SUSPENDED);
      } else if (job.state() == JobState.SUSPENDED && !frozen) {
        job.become(JobState.OPEN);
      }
    } finally {
      job.lock.unlock();
    }
  }

  /** Compares what is in the spool directory with what is known. */
  private synchronized void rescan() {
    SpoolListing now;
    try {
      now = SpoolListing.read(config.spool(), config.node());
    } catch (IOException e) {
      LOG.log(WARNING, "cannot list {0}: {1}", config.spool(), e.toString());
      return;
    }
    // A step more or less may mean that the job begins or ends.
    now.changedSince(last).forEach(unsettled::add);
    foreign(now.foreign());
    last = now;
    now.externs().forEach(this::hear);
    for (SlurmJob job : jobs.values()) {
      SpoolListing.Extern socket = now.externs().get(job.id());
      if (socket != null) {
        look(job, socket);
      } else {
        gone(job);
      }
    }
  }

  private void foreign(Set<String> sockets) {
    if (!sockets.isEmpty() && !sockets.equals(last.foreign())) {
      LOG.log(WARNING, "{0} has {1}, and this node is {2}", config.spool(), sockets, config.node());
    }
    counts.foreignSockets = sockets.size();
  }

  /** A job whose socket was made anew is another run of it: Slurm requeued it. */
  private void hear(JobId id, SpoolListing.Extern socket) {
    SlurmJob known = jobs.get(id);
    boolean sameRun = known != null && !known.state().equals(JobState.CLOSED) && known.is(socket);
    if (known != null && !sameRun) {
      close(known);
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
                new Job(id, note.uid(), note.gid(), note.startedAt(), JobState.BEGINNING), list))
        .orElseGet(() -> new SlurmJob(SlurmJob.unknown(id), list));
  }

  private void look(SlurmJob job, SpoolListing.Extern socket) {
    if (!unsettled.due(job.id())) {
      return;
    }
    JobStep extern = new JobStep(job.id(), StepId.EXTERN);
    StepFacts facts = StepFacts.ask(socket.file(), extern, procfs, FOR_FACTS);
    switch (facts) {
      case StepFacts.Known known -> learn(job, known, socket.made());
      case StepFacts.NobodyThere _ -> unsettled.later(job.id());
      case StepFacts.Silent(String reason) -> {
        counts.silent.increment();
        trouble(job.id(), reason);
        unsettled.later(job.id());
      }
    }
  }

  private void learn(SlurmJob job, StepFacts.Known known, Instant made) {
    job.lock.lock();
    try {
      boolean placed = place(job.id(), known);
      Optional<HookNotes.Note> note = notes.of(job.id()).filter(it -> it.uid() == known.uid());
      int gid = note.map(HookNotes.Note::gid).or(known::gid).orElse(-1);
      Instant start = note.map(HookNotes.Note::startedAt).orElse(made);
      if (!job.isKnown()) {
        LOG.log(INFO, "job {0} of uid {1} is here", job.id(), Integer.toString(known.uid()));
      }
      job.is(new Job(job.id(), known.uid(), gid, start, job.state()));
      if (known.state() == StepState.ENDING) {
        job.become(JobState.CLOSING);
      } else if (known.state() == StepState.RUNNING && placed) {
        job.become(cgroups.frozen(job.id()) ? JobState.SUSPENDED : JobState.OPEN);
        unsettled.settled(job.id());
        return;
      }
      unsettled.later(job.id());
    } finally {
      job.lock.unlock();
    }
  }

  /** Whether it is known where the job's cgroups are. */
  private boolean place(JobId id, StepFacts.Known known) {
    return switch (known.placement()) {
      case Placement.Placed place -> place(id, place);
      case Placement.Waiting _ -> cgroups.place(id).isPresent();
      // It makes them, and goes there, before its step runs.
      case Placement.Unknown _ when known.state() == StepState.STARTING ->
          cgroups.place(id).isPresent();
      case Placement.Unknown(String reason) -> {
        unknown(id, reason);
        yield cgroups.place(id).isPresent();
      }
    };
  }

  private boolean place(JobId id, Placement.Placed place) {
    try {
      cgroups.learn(id, place);
      troubles.remove(id);
      if (!watch.listensTo(id)) {
        cgroups
            .freezerDirectory(id)
            .filter(Files::isDirectory)
            .ifPresent(it -> watch.listen(id, it));
      }
      return true;
    } catch (NoSuchFileException removed) {
      return false; // by now: the job ends
    } catch (IOException e) {
      unknown(id, String.valueOf(e.getMessage()));
      return false;
    }
  }

  private void unknown(JobId id, String reason) {
    if (trouble(id, reason)) {
      counts.unknownLayouts.increment();
    }
  }

  /** Whether this is news. */
  private boolean trouble(JobId id, String reason) {
    boolean news = !reason.equals(troubles.put(id, reason));
    if (news) {
      LOG.log(WARNING, "job {0}: {1}", id, reason);
    }
    return news;
  }

  /** The job's extern step has no socket, or none yet. */
  private void gone(SlurmJob job) {
    job.lock.lock();
    try {
      boolean neverThere = job.socket().isEmpty() && job.state() == JobState.BEGINNING;
      if (neverThere && notes.of(job.id()).isPresent()) {
        return; // the prolog runs
      }
      job.lostSocket();
      job.become(JobState.CLOSING);
      if (cgroups.exists(job.id()) && !processes(job.id()).isEmpty()) {
        unsettled.later(job.id());
      } else {
        close(job);
      }
    } finally {
      job.lock.unlock();
    }
  }

  private void close(SlurmJob job) {
    jobs.remove(job.id(), job);
    watch.leave(job.id());
    cgroups.forget(job.id());
    // What the prolog of the job's next run said stays.
    if (!notes.isOfLaterRun(job)) {
      notes.forget(job.id());
    }
    unsettled.settled(job.id());
    troubles.remove(job.id());
    job.become(JobState.CLOSED);
    LOG.log(INFO, "job {0} has ended", job.id());
  }

  /** Notes what a prolog says; the job is BEGINNING until its extern step runs. */
  @Override
  public BeginResult begin(JobSpec spec) {
    return begin(spec, HookNotes.Teller.PROLOG);
  }

  @Override
  public Set<JobId> guessed() {
    return jobs.values().stream()
        .filter(this::isGuessed)
        .map(SlurmJob::id)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The step daemon is there and told whose it is, and no prolog did. */
  private boolean isGuessed(SlurmJob job) {
    return job.isKnown()
        && job.socket().isPresent()
        && job.state().compareTo(JobState.CLOSING) < 0
        && notes.of(job.id()).filter(note -> note.uid() == job.job().uid()).isEmpty();
  }

  @Override
  public synchronized BeginResult confirm(JobSpec spec) {
    SlurmJob known = jobs.get(spec.id());
    return known != null && isGuessed(known)
        ? begin(spec, HookNotes.Teller.GATEWAY)
        : Jobs.super.confirm(spec);
  }

  private synchronized BeginResult begin(JobSpec spec, HookNotes.Teller teller) {
    if (!spec.allocation().limits().equals(Limits.NONE)
        || !spec.allocation().devices().equals(DeviceRules.OPEN)) {
      return new BeginResult.Refused(SLURMS + "it sets limits and devices of job " + spec.id());
    }
    SlurmJob known = jobs.get(spec.id());
    if (known != null && known.socket().isPresent() && known.job().uid() != spec.uid()) {
      return new BeginResult.Refused(
          "job %s is uid %d's here, not uid %d's"
              .formatted(spec.id(), known.job().uid(), spec.uid()));
    }
    try {
      notes.put(spec.id(), HookNotes.Note.of(spec, teller));
    } catch (IOException e) {
      return new BeginResult.Refused("job " + spec.id() + ": " + e.getMessage());
    }
    return new BeginResult.Begun(noted(spec).job());
  }

  private SlurmJob noted(JobSpec spec) {
    SlurmJob known = jobs.get(spec.id());
    if (known != null && known.state() == JobState.CLOSING && known.socket().isEmpty()) {
      close(known);
      known = null;
    }
    SlurmJob job = known == null ? fresh(spec.id()) : known;
    jobs.put(spec.id(), job);
    job.lock.lock();
    try {
      if (known == null) {
        job.appear();
      } else {
        job.is(new Job(spec.id(), spec.uid(), spec.gid(), spec.startedAt(), job.state()));
      }
    } finally {
      job.lock.unlock();
    }
    return job;
  }

  /** Hears that the epilog runs. What still lives then is Slurm's to end. */
  @Override
  public EndResult end(JobId id, EndOrder order) {
    SlurmJob job = jobs.get(id);
    if (job == null) {
      notes.forget(id);
      return new EndResult.NoSuchJob();
    }
    synchronized (this) {
      if (job.socket().filter(Files::exists).isEmpty()) {
        notes.forget(id);
        job.lostSocket();
        gone(job);
      }
    }
    return job.state() == JobState.CLOSED
        ? new EndResult.Clean(0)
        : new EndResult.Unclean(
            0, processes(id), SLURMS + "job " + id + " ends by scancel, or by its own end");
  }

  @Override
  public StateResult suspend(JobId id) {
    return refused(id, "suspend job " + id + " with scontrol suspend");
  }

  @Override
  public StateResult resume(JobId id) {
    return refused(id, "resume job " + id + " with scontrol resume");
  }

  private StateResult refused(JobId id, String instead) {
    return jobs.containsKey(id)
        ? new StateResult.Refused(SLURMS + instead)
        : new StateResult.NoSuchJob();
  }

  @Override
  public StepResult beginStep(JobId id, Optional<StepId> step, Limits limits, DeviceRules devices) {
    return new StepResult.Refused(SLURMS + "start a step of job " + id + " with srun");
  }

  @Override
  public LimitResult limit(JobId id, Optional<StepId> step, Limits changed) {
    return unchanged(id, "change job " + id + " with scontrol update");
  }

  @Override
  public LimitResult devices(JobId id, Optional<StepId> step, DeviceRules rules) {
    return unchanged(id, "devices of job " + id + " follow from its --gres");
  }

  private LimitResult unchanged(JobId id, String instead) {
    return jobs.containsKey(id)
        ? new LimitResult.Refused(SLURMS + instead)
        : new LimitResult.NotHere();
  }

  @Override
  public List<Job> list() {
    return list.snapshot();
  }

  @Override
  public AdoptResult adopt(PinnedProcess process, JobId into) {
    SlurmJob job = jobs.get(into);
    if (job == null) {
      return new AdoptResult.NotOpen("job " + into + " is not on this node");
    }
    job.lock.lock();
    try {
      if (job.state() == JobState.SUSPENDED) {
        thawOrFreeze(job);
      }
      if (job.state() != JobState.OPEN || job.socket().isEmpty()) {
        return new AdoptResult.NotOpen(job.standing());
      }
      return adoption.admit(job, process);
    } finally {
      job.lock.unlock();
    }
  }

  /** Slurm's own accounting has them. */
  @Override
  public Optional<UsageRecord> closeSession(PinnedProcess process) {
    return Optional.empty();
  }

  @Override
  public List<UsageRecord> usage(JobId id) {
    SlurmJob job = jobs.get(id);
    try {
      return job == null ? List.of() : usage.of(job.job());
    } catch (IOException e) {
      LOG.log(WARNING, "usage of job {0}: {1}", id, e.getMessage());
      return List.of();
    }
  }

  @Override
  public JobNamespaces namespaces(JobId id) throws IOException {
    SlurmJob job = jobs.get(id);
    if (job == null || job.socket().isEmpty()) {
      return JobNamespaces.NONE;
    }
    try (StepDaemon daemon = StepDaemon.greet(job.socket().get(), config.patience())) {
      Optional<Descriptor> mount = daemon.mountNamespace();
      return mount.<JobNamespaces>map(MountNamespace::new).orElse(JobNamespaces.NONE);
    } catch (IOException e) {
      throw new IOException("mount namespace of job " + id + ": " + e.getMessage(), e);
    }
  }

  private record MountNamespace(Descriptor descriptor) implements JobNamespaces {
    @Override
    public List<Namespace> inOrder() {
      return List.of(new Namespace(Kind.MOUNT, descriptor.number()));
    }

    @Override
    public void close() {
      descriptor.close();
    }
  }

  @Override
  public List<JobProcess> processes(JobId id) {
    List<JobProcess> found = new ArrayList<>();
    try {
      cgroups.processes(
          id,
          (pid, step) ->
              procfs
                  .process(pid)
                  .map(it -> new JobProcess(it, step, procfs.command(pid)))
                  .ifPresent(found::add));
    } catch (IOException e) {
      LOG.log(WARNING, "processes of job {0}: {1}", id, e.getMessage());
    }
    return List.copyOf(found);
  }

  @Override
  public Membership membershipOf(CgroupIds cgroupIds) {
    return membership(cgroups.find(cgroupIds));
  }

  @Override
  public Optional<Membership> membershipOf(ProcessRef process) {
    return procfs.cgroups(process).map(its -> membership(cgroups.stepOf(its)));
  }

  private static Membership membership(Optional<JobStep> step) {
    return step.<Membership>map(Membership.InJob::new).orElseGet(Membership.NoJob::new);
  }

  @Override
  public void listen(Listener listener) {
    list.listen(listener);
  }

  /**
   * Forgets prologs that never became jobs, and looks again at jobs that do not end. To be called
   * now and then.
   */
  public void reap() {
    Instant oldest = clock.instant().minus(LONGEST_PROLOG);
    for (Map.Entry<JobId, HookNotes.Note> entry : notes.all().entrySet()) {
      JobId id = entry.getKey();
      SlurmJob job = jobs.get(id);
      boolean waits = job == null || job.socket().isEmpty();
      if (waits && entry.getValue().teller() == HookNotes.Teller.GATEWAY) {
        notes.forget(id);
      } else if (waits && notes.toldAt(id).filter(oldest::isBefore).isEmpty()) {
        LOG.log(WARNING, "the prolog of job {0} was told, and no extern step came", id);
        notes.forget(id);
      }
    }
    rescan();
  }

  public SlurmCounts counts() {
    return counts;
  }

  /** For people: what keeps jobs of this node from being used, if anything does. */
  public Optional<String> trouble() {
    return troubles.values().stream().findFirst();
  }

  /** Hears no more. The jobs go on. */
  @Override
  public void close() throws IOException {
    watch.close();
  }
}
