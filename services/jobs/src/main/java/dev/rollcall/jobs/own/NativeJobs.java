package dev.rollcall.jobs.own;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.Departure;
import dev.rollcall.jobs.JobList;
import dev.rollcall.jobs.container.JobContainers;
import dev.rollcall.jobs.container.Removals;
import dev.rollcall.jobs.journal.JobJournal;
import dev.rollcall.jobs.tree.Census;
import dev.rollcall.jobs.tree.Hierarchy;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.jobs.tree.Leaves;
import dev.rollcall.jobs.untrusted.TerminalSender;
import dev.rollcall.jobs.usage.Accounts;
import dev.rollcall.jobs.usage.JobIncidents;
import dev.rollcall.jobs.usage.LastAccounts;
import dev.rollcall.linux.cgroup.CgroupIndex;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.CgroupIds;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Leftover;
import dev.rollcall.model.Membership;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.model.usage.MeasureDepth;
import dev.rollcall.model.usage.Measured;
import dev.rollcall.model.usage.UsageRecord;
import dev.rollcall.port.JobNamespaces;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.JoinedSession;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.port.SessionPlace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Jobs whose cgroups Rollcall owns. The kernel's tree and the journal have the facts; this class
 * keeps the state of each job and the order of its changes. {@link JobTree} has the paths, {@link
 * Leaves} the cgroups of steps and sessions. {@link Beginning} begins a job, {@link MovesByAgent}
 * moves a process into it, {@link MovesBySessions} serves processes that move themselves, {@link
 * Suspension} freezes it, {@link Ending} ends it, {@link Upkeep} checks it periodically, and {@link
 * Restart} restores it at the agent's start.
 */
public final class NativeJobs implements Jobs, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(NativeJobs.class.getName());

  private final KnownJobs known = KnownJobs.none();
  private final Map<JobId, NativeJob> jobs = known.byId();
  private final JobList list = known.list();
  private final JobTree tree;
  private final JobJournal journal;
  private final Proc procfs;
  private final CgroupIndex index;
  private final Leaves leaves;
  private final Census census;
  private final Steps steps;
  private final MovesByAgent movesByAgent;
  private final Departure<NativeJob> departure;
  private final MovesBySessions movesBySessions;
  private final SessionReaper reaper;
  private final SilentServers servers;
  private final Ending ending;
  private final Suspension suspension;
  private final Restart restart;
  private final Limiting limiting;
  private final Devices devices;
  private final Accounts accounts;
  private final LastAccounts lastAccounts;
  private final JobIncidents incidents;
  private final SessionClosing closing;
  private final JobContainers containers;
  private final Containment containment;
  private final Beginning beginning;
  private final UnkillableJobs unkillable;
  private final Upkeep upkeep;
  private final AtomicBoolean closed = new AtomicBoolean();

  private NativeJobs(
      NativeJobsConfig config, JobTree tree, JobJournal journal, JobContainers containers)
      throws IOException {
    this.containers = containers;
    this.containment = new Containment(containers, tree);
    this.tree = tree;
    this.journal = journal;
    this.procfs = new Proc(config.tree().proc());
    this.index = new CgroupIndex(tree.identity().scope(), System::nanoTime);
    this.leaves = new Leaves(tree, index);
    this.census = new Census(tree, procfs);
    InstantSource clock = InstantSource.system();
    this.limiting = new Limiting(tree, journal, config.site(), config.ends().oomKill());
    this.devices = new Devices(tree, journal);
    this.steps = new Steps(tree, leaves, limiting, devices, containment, clock);
    this.accounts = new Accounts(tree, leaves);
    TerminalSender terminals = new TerminalSender(procfs);
    this.incidents =
        new JobIncidents(tree, leaves, accounts, terminals, clock, known::find, list::incident);
    this.lastAccounts =
        new LastAccounts(
            tree,
            leaves,
            accounts,
            incidents,
            procfs,
            clock,
            record -> list.tell(each -> each.recorded(record)));
    this.movesByAgent = new MovesByAgent(tree, leaves, procfs, journal, clock);
    this.departure = new Departure<>(this::jobOf, id -> Optional.ofNullable(jobs.get(id)));
    this.reaper = new SessionReaper(leaves, lastAccounts);
    this.movesBySessions = new MovesBySessions(tree, leaves, reaper, incidents);
    Signals signals = new Signals(tree, procfs);
    this.servers = new SilentServers(procfs, config.owners());
    this.ending =
        new Ending(
            tree,
            signals,
            journal,
            lastAccounts,
            containment,
            terminals,
            new Tracers(
                procfs, config.owners(), it -> jobOf(it).flatMap(known::find).map(Job::uid)),
            servers,
            config.ends().signal(),
            this::forget);
    this.closing =
        new SessionClosing(tree, procfs, accounts, signals, config.ends().sessions(), known::find);
    this.suspension = new Suspension(tree, journal, signals, leaves, servers);
    this.restart = new Restart(config.bootId(), tree, journal, procfs, leaves, list);
    this.beginning =
        new Beginning(
            known,
            leaves,
            journal,
            config.bootId(),
            limiting,
            devices,
            containment,
            incidents,
            ending);
    UnownedCgroups unowned = new UnownedCgroups(known, tree, restart, incidents, this::forget);
    HeldUpEnds heldUp = new HeldUpEnds(System::nanoTime);
    this.unkillable = new UnkillableJobs(config.ends().unkillable(), census::of);
    var ends = new Upkeep.Ends(ending, heldUp, unkillable);
    this.upkeep =
        new Upkeep(
            known, incidents, accounts, reaper, limiting, devices, suspension, ends, unowned);
  }

  /**
   * Makes the scope's directories where they are missing, reads the journal, and goes on with the
   * jobs that are in both.
   *
   * @throws IOException naming the path: a hierarchy is not mounted or not writable, the journal
   *     cannot be read, or another process uses the state directory
   */
  public static NativeJobs open(NativeJobsConfig config) throws IOException {
    JobTree tree = JobTree.open(config.tree());
    JobJournal journal = JobJournal.open(config.stateDirectory());
    try {
      return open(config, tree, journal, JobContainers.open(config.containers()));
    } catch (IOException e) {
      journal.close();
      throw e;
    }
  }

  private static NativeJobs open(
      NativeJobsConfig config, JobTree tree, JobJournal journal, JobContainers containers)
      throws IOException {
    try {
      NativeJobs opened = new NativeJobs(config, tree, journal, containers);
      opened.recovered();
      return opened;
    } catch (IOException e) {
      containers.close();
      throw e;
    }
  }

  /** The state of a job, with its locks. */
  Optional<NativeJob> nativeJob(JobId id) {
    return Optional.ofNullable(jobs.get(id));
  }

  /** The number of the kernel's files that are watched for limits that are hit. */
  int watches() {
    return incidents.watches();
  }

  private void recovered() throws IOException {
    try {
      recover();
    } catch (IOException e) {
      incidents.close();
      throw e;
    }
  }

  private void recover() throws IOException {
    for (NativeJob job : restart.jobs()) {
      job.publish();
      jobs.put(job.id(), job);
      incidents.watch(job.job(), false);
    }
    jobs.values().forEach(job -> devices.hold(job, list::incident));
    containers.restore(jobs.keySet());
    limiting.holdReserve(List.copyOf(jobs.values()));
  }

  @Override
  public BeginResult begin(JobSpec asked) {
    return beginning.begin(asked);
  }

  /** The job itself last: what is kept by its id would else be that of the next one. */
  private void forget(NativeJob job) {
    index.forget(job.id());
    lastAccounts.forget(job.id());
    incidents.forget(job.id());
    unkillable.forget(job.id());
    jobs.remove(job.id(), job);
  }

  @Override
  public EndResult end(JobId id, EndOrder order) {
    NativeJob job = jobs.get(id);
    return job == null ? new EndResult.NoSuchJob() : ending.end(job, order);
  }

  @Override
  public EndInSteps endInSteps(JobId id, EndOrder order) {
    NativeJob job = jobs.get(id);
    return job == null ? Jobs.super.endInSteps(id, order) : ending.inSteps(job, order);
  }

  @Override
  public StateResult suspend(JobId id) {
    NativeJob job = jobs.get(id);
    return job == null ? new StateResult.NoSuchJob() : suspension.suspend(job);
  }

  @Override
  public StateResult resume(JobId id) {
    NativeJob job = jobs.get(id);
    return job == null ? new StateResult.NoSuchJob() : suspension.resume(job);
  }

  @Override
  public LimitResult limit(JobId id, Optional<StepId> step, Limits changed) {
    return change(id, step, job -> limiting.change(job, step, changed));
  }

  @Override
  public LimitResult devices(JobId id, Optional<StepId> step, DeviceRules rules) {
    return change(id, step, job -> devices.change(job, step, rules));
  }

  private LimitResult change(
      JobId id, Optional<StepId> step, Function<NativeJob, LimitResult> change) {
    NativeJob job = jobs.get(id);
    if (job == null) {
      return new LimitResult.NotHere();
    }
    return job.locked(() -> {
      if (step.isPresent() && !tree.identity().user(new JobStep(id, step.get())).exists()) {
        return new LimitResult.NotHere();
      }
      return job.state() == JobState.OPEN || job.state() == JobState.SUSPENDED
          ? change.apply(job)
          : new LimitResult.Refused(job.standing());
    });
  }

  @Override
  public Optional<ClosingSession> closing(PinnedProcess process) {
    return closing.of(process).map(session -> () -> closed(session));
  }

  private Optional<UsageRecord> closed(SessionClosing.Session session) {
    try {
      SessionClosing.Closed closed = closing.close(session);
      if (closed.left()) {
        list.tell(each -> each.recorded(closed.record()));
      }
      return Optional.of(closed.record());
    } catch (IOException e) {
      LOG.log(WARNING, "cannot close session {0}: {1}", session.leaf(), e.getMessage());
      return Optional.empty();
    }
  }

  @Override
  public List<UsageRecord> usage(JobId id) {
    Optional<Job> job = known.find(id);
    try {
      return job.isEmpty() ? List.of() : accounts.of(job.get());
    } catch (IOException e) {
      LOG.log(WARNING, "cannot read the usage of job {0}: {1}", id, e.getMessage());
      return List.of();
    }
  }

  @Override
  public void measure(Job job, MeasureDepth depth, Consumer<Measured> each) {
    try {
      accounts.measure(job, depth, each);
    } catch (IOException e) {
      LOG.log(DEBUG, "cannot measure job {0}: {1}", job.id(), e.getMessage());
    }
  }

  @Override
  public Map<String, String> variables(JobId id) {
    return nativeJob(id).map(job -> job.allocation().environment()).orElse(Map.of());
  }

  @Override
  public DeviceRules deviceRules(JobId id) {
    return nativeJob(id).map(job -> job.allocation().devices()).orElse(DeviceRules.OPEN);
  }

  @Override
  public StepResult beginStep(JobId id, Optional<StepId> step, Limits limits, DeviceRules rules) {
    NativeJob job = jobs.get(id);
    if (job == null) {
      return new StepResult.Refused("job " + id + " is not on this node");
    }
    return job.locked(() -> {
      StepResult result = steps.begin(job, step, limits, rules);
      if (result instanceof StepResult.Made(JobStep made, _, _, _)) {
        incidents.watch(made);
        incidents.watch(made, Leaves.TASK);
      }
      return result;
    });
  }

  @Override
  public JobNamespaces namespaces(JobId id) throws IOException {
    return jobs.containsKey(id) ? containers.open(id) : JobNamespaces.NONE;
  }

  @Override
  public Optional<SessionPlace> sessionPlace(JobId id) {
    return Optional.ofNullable(jobs.get(id)).flatMap(job -> containment.sessionPlace(job));
  }

  @Override
  public List<Job> list() {
    return list.snapshot();
  }

  @Override
  public AdoptResult adopt(PinnedProcess process, JobId into, int uid, From from) {
    return departure.run(process, into, uid, from, job -> admitted(process, job));
  }

  /** Under the job's lock. */
  private AdoptResult admitted(PinnedProcess process, NativeJob job) throws IOException {
    if (job.state() != JobState.OPEN) {
      return new AdoptResult.NotOpen(job.standing());
    }
    AdoptResult result = movesByAgent.admit(job, process);
    if (result instanceof AdoptResult.Adopted adopted) {
      String leaf = adopted.cgroup().substring(adopted.cgroup().lastIndexOf('/') + 1);
      reaper.after(job, () -> incidents.watch(adopted.step(), leaf));
    }
    return result;
  }

  @Override
  public Optional<JobStep> joined(JoinedSession session) {
    return Optional.ofNullable(jobs.get(session.job()))
        .flatMap(job -> movesBySessions.note(job, session));
  }

  private Optional<JobId> jobOf(PinnedProcess process) {
    return procfs.cgroups(process).flatMap(tree::stepOf).map(JobStep::job);
  }

  @Override
  public List<JobProcess> processes(JobId id) {
    NativeJob job = jobs.get(id);
    if (job == null) {
      return List.of();
    }
    List<JobProcess> found = census.of(id);
    reaper.reapAtOnce(job);
    return found;
  }

  @Override
  public List<Leftover> leftovers(JobId id) throws IOException {
    List<Leftover> left = new ArrayList<>();
    known.find(id).map(Leftover::of).ifPresent(left::add);
    census.of(id).stream().map(Leftover::of).forEach(left::add);
    for (Hierarchy hierarchy : tree.hierarchies()) {
      if (hierarchy.job(id).exists()) {
        left.add(new Leftover(Leftover.Kind.CGROUP, hierarchy.job(id).path().toString()));
      }
    }
    left.addAll(containers.leftovers(id));
    return List.copyOf(left);
  }

  /**
   * Removes the leaves of sessions that have ended and the directories that no job has, freezes
   * suspended jobs that were thawed by somebody else, and tries again to end the jobs that could
   * not be. To be called now and then; waits at most 0.4 s for all jobs that do not end, and 1 s
   * for all that others change meanwhile.
   */
  public void reap() {
    upkeep.sweep();
  }

  @Override
  public Optional<Membership> membershipOf(CgroupIds cgroups) {
    return index.find(tree.identity().name().isEmpty() ? cgroups.v2() : cgroups.v1());
  }

  @Override
  public Optional<Membership> membershipOf(ProcessRef process) {
    return procfs
        .cgroups(process)
        .map(cgroups ->
            Membership.of(tree.stepOf(cgroups).filter(in -> jobs.containsKey(in.job()))));
  }

  /** The progress of removing the containers of jobs that ended. */
  public Removals.Progress removing() {
    return containers.removing();
  }

  /** How many FUSE connections of users were aborted, as they held killed processes of jobs. */
  public long abortedConnections() {
    return servers.aborted();
  }

  /** Where all jobs are, if that is in the cgroup2 tree. */
  public Optional<Path> scope() {
    return tree.identity().name().isEmpty()
        ? Optional.of(tree.identity().scope().path())
        : Optional.empty();
  }

  @Override
  public void listen(Listener listener) {
    list.listen(listener);
  }

  /** Closes the journal. The jobs go on, and the next one to open it knows them. */
  @Override
  public void close() throws IOException {
    if (closed.compareAndSet(false, true)) {
      reaper.close();
      incidents.close();
      containers.close();
      journal.close();
    }
  }
}
