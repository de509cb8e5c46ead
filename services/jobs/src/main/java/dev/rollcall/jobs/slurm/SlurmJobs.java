package dev.rollcall.jobs.slurm;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.Departure;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.CgroupIds;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Leftover;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NamespaceType;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.model.usage.Measure;
import dev.rollcall.model.usage.MeasureDepth;
import dev.rollcall.model.usage.Measured;
import dev.rollcall.model.usage.Measures;
import dev.rollcall.model.usage.UsageRecord;
import dev.rollcall.port.JobNamespaces;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.JoinedSession;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.port.SessionPlace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The jobs of a node whose cgroups Slurm owns. A job is here as long as its extern step's daemon
 * listens in SlurmdSpoolDir, or its prolog reported it and still runs. {@link SpoolFollower} keeps
 * the list, {@link SlurmAdoption} adopts processes. Only Slurm begins, ends, suspends and limits
 * jobs.
 */
public final class SlurmJobs implements Jobs, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(SlurmJobs.class.getName());

  /** A step daemon counts a process twice that is reported twice. */
  private static final int REPORTED = 4_096;

  private static final String SLURMS = "Slurm owns the jobs of this node: ";

  private final SlurmJobsConfig config;
  private final SlurmCounts counts;
  private final Proc procfs;
  private final SlurmCgroups cgroups;
  private final HookNotes notes;
  private final SpoolFollower spool;
  private final SlurmProcesses processes;
  private final SlurmSessions sessions;
  private final SlurmAdoption adoption;
  private final SessionReports reports;
  private final SlurmUsage usage;
  private final Departure<SlurmJob> departure;
  private final SlurmLeftovers leftovers;

  private SlurmJobs(
      SlurmJobsConfig config,
      SlurmCounts counts,
      Proc procfs,
      SlurmCgroups cgroups,
      SlurmSessions sessions,
      SpoolFollower spool) {
    this.config = config;
    this.counts = counts;
    this.procfs = procfs;
    this.cgroups = cgroups;
    this.notes = sessions.notes();
    this.sessions = sessions;
    this.spool = spool;
    this.processes = new SlurmProcesses(cgroups, procfs);
    this.usage = new SlurmUsage(cgroups);
    this.leftovers = new SlurmLeftovers(cgroups.mounts(), procfs);
    this.departure = new Departure<>(this::jobOf, spool::find);
    var reported = new RecentProcesses(REPORTED);
    this.reports = new SessionReports(config, procfs, cgroups, counts, reported);
    this.adoption = new SlurmAdoption(config, procfs, cgroups, sessions, counts, reported, reports);
  }

  /**
   * Finds the jobs on this node, and follows changes from then on.
   *
   * @throws IOException naming the path: the state directory cannot be written, or procfs read
   */
  public static SlurmJobs open(SlurmJobsConfig config) throws IOException {
    var counts = new SlurmCounts();
    var procfs = new Proc(config.proc());
    var cgroups = new SlurmCgroups(CgroupMounts.read(config.proc()));
    HookNotes notes = HookNotes.open(config.stateDirectory().resolve("slurm"));
    var sessions =
        new SlurmSessions(
            new SessionCgroups(cgroups),
            new JobEnvironments(procfs, cgroups),
            notes,
            RuntimeDirectories.open(config.runtimeDirectories()),
            ConcurrentHashMap.newKeySet());
    SpoolFollower spool = SpoolFollower.open(config, procfs, cgroups, sessions, counts);
    spool.all().forEach(job -> job.oomKills.beganBefore());
    return new SlurmJobs(config, counts, procfs, cgroups, sessions, spool);
  }

  /** Notes the report of a prolog; the job is BEGINNING until its extern step runs. */
  @Override
  public BeginResult begin(JobSpec spec) {
    return begin(spec, HookNotes.Teller.PROLOG);
  }

  @Override
  public Set<JobId> guessed() {
    return spool.all().stream()
        .filter(spool::isGuessed)
        .map(SlurmJob::id)
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public BeginResult confirm(JobSpec spec) {
    synchronized (spool) {
      return spool.find(spec.id()).filter(spool::isGuessed).isPresent()
          ? begin(spec, HookNotes.Teller.GATEWAY)
          : Jobs.super.confirm(spec);
    }
  }

  private BeginResult begin(JobSpec spec, HookNotes.Teller teller) {
    if (!spec.allocation().limits().equals(Limits.NONE)
        || !spec.allocation().devices().equals(DeviceRules.OPEN)) {
      return new BeginResult.Refused(SLURMS + "it sets limits and devices of job " + spec.id());
    }
    if (spec.container().isPresent()) {
      return new BeginResult.Refused(SLURMS + "it makes the container of job " + spec.id());
    }
    synchronized (spool) {
      Optional<SlurmJob> others =
          spool
              .find(spec.id())
              .filter(known -> known.socket().isPresent() && known.job().uid() != spec.uid());
      if (others.isPresent()) {
        return new BeginResult.Refused(
            "job %s belongs to uid %d here, not to uid %d"
                .formatted(spec.id(), others.get().job().uid(), spec.uid()));
      }
      try {
        notes.put(spec.id(), HookNotes.Note.of(spec, teller));
      } catch (IOException e) {
        return new BeginResult.Refused("job " + spec.id() + ": " + e.getMessage());
      }
      return new BeginResult.Begun(spool.noted(spec).job());
    }
  }

  /** Notes that the epilog runs. Slurm ends processes that still live then. */
  @Override
  public EndResult end(JobId id, EndOrder order) {
    Optional<SlurmJob> known = spool.find(id);
    if (known.isEmpty()) {
      notes.forget(id);
      return new EndResult.NoSuchJob();
    }
    SlurmJob job = known.get();
    spool.epilogTold(job);
    return job.state() == JobState.CLOSED
        ? new EndResult.Clean(0)
        : new EndResult.Unclean(
            0, processes.of(id), SLURMS + "job " + id + " ends by scancel, or by its own end");
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
    return spool.find(id).isPresent()
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
    return spool.find(id).isPresent()
        ? new LimitResult.Refused(SLURMS + instead)
        : new LimitResult.NotHere();
  }

  @Override
  public Optional<String> unknownBecause() {
    return spool.unreadable();
  }

  @Override
  public List<Job> list() {
    return spool.list().snapshot();
  }

  @Override
  public AdoptResult adopt(PinnedProcess process, JobId into, int uid, From from) {
    return departure.run(process, into, uid, from, job -> admitted(process, job));
  }

  /** Under the job's lock. */
  private AdoptResult admitted(PinnedProcess process, SlurmJob job) {
    if (job.state() == JobState.SUSPENDED) {
      spool.thawOrFreeze(job);
    }
    if (job.state() != JobState.OPEN || job.socket().isEmpty()) {
      return new AdoptResult.NotOpen(job.standing());
    }
    Optional<SessionPlace> before = sessions.place(job);
    AdoptResult result = adoption.admit(job, process);
    if (before.isEmpty() && result instanceof AdoptResult.Adopted) {
      spool.foundSessions(job);
    }
    return result;
  }

  @Override
  public Optional<SessionPlace> sessionPlace(JobId id) {
    return spool.find(id).flatMap(sessions::place);
  }

  /**
   * Tells the step daemon of the session, so that Slurm accounts for it. A session whose step has
   * ended is killed, as the end of the step would have killed it. May take seconds.
   */
  @Override
  public Optional<JobStep> joined(JoinedSession session) {
    return reports.hear(session, spool.find(session.job()));
  }

  private Optional<JobId> jobOf(PinnedProcess process) {
    return procfs.cgroups(process).flatMap(cgroups::stepOf).map(JobStep::job);
  }

  /** Slurm's own accounting has them. */
  @Override
  public boolean accounts() {
    return false;
  }

  @Override
  public Optional<ClosingSession> closing(PinnedProcess process) {
    return Optional.empty();
  }

  @Override
  public List<UsageRecord> usage(JobId id) {
    Optional<SlurmJob> job = spool.find(id);
    try {
      if (job.isEmpty()) {
        return List.of();
      }
      List<UsageRecord> records = usage.of(job.get().job());
      job.get().oomKills.look(id, records).forEach(spool.list()::incident);
      return records;
    } catch (IOException e) {
      LOG.log(WARNING, "cannot read the usage of job {0}: {1}", id, e.getMessage());
      return List.of();
    }
  }

  @Override
  public void measure(Job job, MeasureDepth depth, Consumer<Measured> each) {
    try {
      long killed = spool.find(job.id()).map(it -> it.oomKills.total()).orElse(0L);
      var atLeast = new Measures();
      atLeast.put(Measure.OOM_KILLS, killed == 0 ? -1 : killed);
      usage.measure(
          job,
          depth,
          measured -> {
            // v1 forgets those of steps that are gone.
            if (measured.step().isEmpty()) {
              measured.measures().after(atLeast);
            }
            each.accept(measured);
          });
    } catch (IOException e) {
      LOG.log(DEBUG, "cannot measure job {0}: {1}", job.id(), e.getMessage());
    }
  }

  @Override
  public Map<String, String> variables(JobId id) {
    Map<String, String> variables = new HashMap<>();
    spool.find(id).flatMap(job -> job.environment).ifPresent(variables::putAll);
    notes.of(id).ifPresent(note -> variables.putAll(note.environment()));
    return variables;
  }

  @Override
  public JobNamespaces namespaces(JobId id) throws IOException {
    Optional<SlurmJob> job = spool.find(id);
    Optional<Path> socket = job.flatMap(SlurmJob::socket);
    if (socket.isEmpty()) {
      return JobNamespaces.NONE;
    }
    var found = new StepNamespaces(sessions.runtime().environment(id));
    if (job.flatMap(its -> its.extras).filter(StepExtras::none).isPresent()) {
      return found;
    }
    try (StepDaemon daemon = StepDaemon.greet(socket.get(), config.patience())) {
      daemon.namespaces(found);
    } catch (IOException e) {
      found.close();
      throw new IOException("namespaces of job " + id + ": " + e.getMessage(), e);
    }
    if (!found.has(NamespaceType.USER)) {
      return found;
    }
    found.close();
    return new JobNamespaces.Closed(
        "has a user namespace of Slurm's, which sessions do not enter (docs/slurm.md)");
  }

  @Override
  public List<JobProcess> processes(JobId id) {
    return processes.of(id);
  }

  @Override
  public List<Leftover> leftovers(JobId id) throws IOException {
    List<Leftover> left = new ArrayList<>();
    spool.find(id).map(job -> Leftover.of(job.job())).ifPresent(left::add);
    left.addAll(leftovers.of(id, cgroups.directory(id)));
    return List.copyOf(left);
  }

  @Override
  public Optional<Membership> membershipOf(CgroupIds cgroupIds) {
    return cgroups.find(cgroupIds);
  }

  @Override
  public Optional<Membership> membershipOf(ProcessRef process) {
    return procfs.cgroups(process).map(its -> Membership.of(cgroups.stepOf(its)));
  }

  @Override
  public void listen(Listener listener) {
    spool.list().listen(listener);
  }

  /**
   * Forgets prologs that never became jobs, and looks again at jobs that do not end or are
   * suspended. To be called now and then.
   */
  public void reap() {
    spool.reap();
  }

  /** The cgroup2 directory of all jobs; empty on v1, and before the first job is here. */
  public Optional<Path> scope() {
    return cgroups.scope();
  }

  public SlurmCounts counts() {
    return counts;
  }

  /** For people: what keeps jobs of this node from being used, if anything does. */
  public Optional<String> trouble() {
    return spool.trouble();
  }

  /** Hears no more. The jobs go on. */
  @Override
  public void close() throws IOException {
    reports.close();
    spool.close();
  }
}
