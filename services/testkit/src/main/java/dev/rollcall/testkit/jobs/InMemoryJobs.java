package dev.rollcall.testkit.jobs;

import static java.util.Objects.requireNonNull;

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
import dev.rollcall.model.allocation.SessionSetup;
import dev.rollcall.model.usage.Incident;
import dev.rollcall.model.usage.MeasureDepth;
import dev.rollcall.model.usage.Measured;
import dev.rollcall.model.usage.Measures;
import dev.rollcall.model.usage.MemoryDetails;
import dev.rollcall.model.usage.Usage;
import dev.rollcall.model.usage.UsageRecord;
import dev.rollcall.model.usage.UsageRecord.Kind;
import dev.rollcall.port.JobNamespaces;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.JoinedSession;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.port.SessionPlace;
import dev.rollcall.port.StepContainer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Jobs and processes of a node that has no kernel. Processes are started here first. An end does
 * not wait: what cannot be killed at once is left.
 */
public final class InMemoryJobs implements Jobs {
  private static final String ROOT = "/rollcall.scope/job_";

  /** Where a process is; each place has a cgroup of its own. */
  private record Place(JobStep step, String leaf, long cgroup) {
    String path() {
      return ROOT + step.job() + "/step_" + step.step() + "/user/" + leaf;
    }

    OptionalLong session() {
      return leaf.startsWith("session_")
          ? OptionalLong.of(Long.parseLong(leaf.substring("session_".length())))
          : OptionalLong.empty();
    }
  }

  private final Map<JobId, Job> jobs = new LinkedHashMap<>();
  private final Map<JobId, List<StepId>> steps = new LinkedHashMap<>();
  private final Map<ProcessRef, FakeProcess> processes = new LinkedHashMap<>();
  private final Map<ProcessRef, Place> places = new LinkedHashMap<>();
  private final Map<String, Limits> limits = new LinkedHashMap<>();
  private final Map<String, DeviceRules> devices = new LinkedHashMap<>();
  private final List<EndOrder> endOrders = new ArrayList<>();
  private final Map<JobId, Duration> userTimes = new LinkedHashMap<>();
  private final Map<JobId, SessionSetup> setups = new LinkedHashMap<>();
  private final Map<JobId, Map<String, String>> variables = new LinkedHashMap<>();
  private final Map<JobId, Opening> containers = new LinkedHashMap<>();
  private final Set<JobId> guessed = new HashSet<>();
  private final List<Listener> listeners = new ArrayList<>();
  private OptionalLong bytes = OptionalLong.empty();
  private boolean accounts = true;
  private boolean forgetful;
  private Optional<String> unknown = Optional.empty();
  private Optional<String> refusal = Optional.empty();
  private int lastPid = 1000;
  private long lastCgroup = 100;
  private long lastSession;
  private String above = "";
  private volatile Consumer<JoinedSession> joining = _ -> {};

  /** Starts a process that is in no job. */
  public synchronized FakeProcess start(String command) {
    lastPid++;
    return running(new ProcessRef(lastPid, 10L * lastPid), command);
  }

  /** A process that is there, such as the test's own. */
  public synchronized FakeProcess running(ProcessRef ref, String command) {
    FakeProcess process = new FakeProcess(ref, command);
    processes.put(process.ref(), process);
    return process;
  }

  /** As if there had never been a job or a process; listeners stay, and are told nothing. */
  public synchronized void forget() {
    for (Map<?, ?> known :
        List.of(jobs, steps, processes, places, limits, devices, setups, variables)) {
      known.clear();
    }
    containers.clear();
    endOrders.clear();
    guessed.clear();
    lastPid = 1000;
    lastCgroup = 100;
    lastSession = 0;
  }

  /** Puts a job into any state, as if it had come to it. */
  public synchronized void put(Job job) {
    if (job.state() == JobState.CLOSED) {
      jobs.remove(job.id());
      guessed.remove(job.id());
    } else {
      jobs.put(job.id(), job);
    }
    listeners.forEach(listener -> listener.changed(job));
  }

  /** From now on the cgroups of sessions are in this one, a path that ends with a slash. */
  public synchronized void sessionsIn(String cgroup) {
    above = cgroup;
  }

  /** Puts a job there of which no prolog told. */
  public synchronized void guess(Job job) {
    guessed.add(job.id());
    put(job);
  }

  @Override
  public synchronized Set<JobId> guessed() {
    return Set.copyOf(guessed);
  }

  @Override
  public synchronized BeginResult confirm(JobSpec spec) {
    return guessed.contains(spec.id()) ? begin(spec) : Jobs.super.confirm(spec);
  }

  /** What sessions and steps of the job get from now on. */
  public synchronized void setUp(JobId job, SessionSetup setup) {
    setups.put(job, setup);
  }

  /** Opens namespaces of a job. */
  public interface Opening {
    JobNamespaces open() throws IOException;
  }

  /** The job has a container from now on. */
  public synchronized void contain(JobId job, Opening container) {
    containers.put(job, container);
  }

  @Override
  public JobNamespaces namespaces(JobId id) throws IOException {
    Opening container;
    synchronized (this) {
      container = containers.getOrDefault(id, () -> JobNamespaces.NONE);
    }
    return container.open();
  }

  @Override
  public synchronized Optional<SessionPlace> sessionPlace(JobId id) {
    String user = ROOT + id + "/step_extern/user";
    var cgroup = new SessionPlace.Cgroup("", Path.of("/sys/fs/cgroup" + user), user);
    return Optional.ofNullable(jobs.get(id))
        .map(
            job -> new SessionPlace(List.of(cgroup), setup(job.id()), SessionPlace.Container.NONE));
  }

  private SessionSetup setup(JobId job) {
    return setups.getOrDefault(job, SessionSetup.NONE);
  }

  /** From now on no process can be moved, for this reason; or empty: they can again. */
  public synchronized void refuseMoves(Optional<String> reason) {
    refusal = reason;
  }

  /** As if the process had written its pid to the step's files. */
  public synchronized void enter(FakeProcess process, JobStep step) {
    places.put(process.ref(), new Place(step, "task_0", ++lastCgroup));
  }

  /** As if the process had moved itself into this leaf of the job's extern step. */
  public synchronized void moveItself(FakeProcess process, JobId into, String leaf) {
    places.put(process.ref(), new Place(new JobStep(into, StepId.EXTERN), leaf, ++lastCgroup));
  }

  /** A process that is known and was in no job is in the session's leaf from now on. */
  @Override
  public Optional<JobStep> joined(JoinedSession session) {
    joining.accept(session);
    return joinedNow(session);
  }

  /** From now on this runs before a session is added, without a lock. */
  public void beforeJoined(Consumer<JoinedSession> step) {
    joining = step;
  }

  private synchronized Optional<JobStep> joinedNow(JoinedSession session) {
    JobId job = session.job();
    String user = new Place(new JobStep(job, StepId.EXTERN), "", 0).path();
    String leaf =
        session.cgroup().startsWith(user) ? session.cgroup().substring(user.length()) : "";
    boolean right = session.hierarchy().isEmpty() && leaf.matches("session_[1-9][0-9]{0,17}");
    if (!right || !jobs.containsKey(job)) {
      return Optional.empty();
    }
    fake(session.process())
        .filter(process -> process.alive() && !places.containsKey(process.ref()))
        .ifPresent(process -> moveItself(process, job, leaf));
    return Optional.of(new JobStep(job, StepId.EXTERN));
  }

  /** The cgroups that a call of this process would carry. */
  public synchronized CgroupIds cgroupsOf(ProcessRef process) {
    Place place = places.get(process);
    return new CgroupIds(place == null ? 1 : place.cgroup, 0);
  }

  @Override
  public synchronized BeginResult begin(JobSpec spec) {
    Job known = jobs.get(spec.id());
    if (known == null) {
      Job job = spec.job(JobState.BEGINNING);
      setUp(spec.id(), SessionSetup.of(spec.allocation(), spec.gid()));
      put(job);
      limits.put(place(spec.id(), Optional.empty()), spec.allocation().limits());
      devices.put(place(spec.id(), Optional.empty()), spec.allocation().devices());
      variables.put(spec.id(), spec.allocation().environment());
      put(job.in(JobState.OPEN));
      return new BeginResult.Begun(job.in(JobState.OPEN));
    }
    if (known.state() == JobState.CLOSING) {
      return new BeginResult.Refused("job " + spec.id() + " is ending");
    }
    if (known.uid() != spec.uid()) {
      return new BeginResult.Refused(
          "job %s belongs to uid %d here, not to uid %d"
              .formatted(spec.id(), known.uid(), spec.uid()));
    }
    if (!guessed.remove(spec.id())) {
      return new BeginResult.Begun(known);
    }
    Job told = spec.job(known.state());
    put(told);
    return new BeginResult.Begun(told);
  }

  /** How jobs were told to end, in this order. */
  public synchronized List<EndOrder> endOrders() {
    return List.copyOf(endOrders);
  }

  @Override
  public synchronized EndResult end(JobId id, EndOrder order) {
    endOrders.add(order);
    Job job = jobs.get(id);
    if (job == null) {
      return new EndResult.NoSuchJob();
    }
    if (job.state() != JobState.CLOSING) {
      put(job.in(JobState.CLOSING));
    }
    List<JobProcess> before = processes(id);
    before.forEach(each -> fake(each.process()).ifPresent(FakeProcess::kill));
    List<JobProcess> left = processes(id);
    int killed = before.size() - left.size();
    if (!left.isEmpty()) {
      return new EndResult.Unclean(killed, left, "processes do not end");
    }
    reap(id);
    Optional<Instant> now = Optional.of(Instant.now());
    stepsOf(id).forEach(step -> tell(step(job, step, now)));
    tell(whole(job, now));
    places.values().removeIf(place -> place.step.job().equals(id));
    steps.remove(id);
    limits.keySet().removeIf(place -> (place + ".").startsWith(id + "."));
    devices.keySet().removeIf(place -> (place + ".").startsWith(id + "."));
    variables.remove(id);
    put(job.in(JobState.CLOSED));
    return new EndResult.Clean(killed);
  }

  private Optional<FakeProcess> fake(ProcessRef process) {
    return Optional.ofNullable(processes.get(process));
  }

  @Override
  public synchronized StateResult suspend(JobId id) {
    return moved(id, JobState.OPEN, JobState.SUSPENDED);
  }

  @Override
  public synchronized StateResult resume(JobId id) {
    return moved(id, JobState.SUSPENDED, JobState.OPEN);
  }

  private StateResult moved(JobId id, JobState from, JobState to) {
    Job job = jobs.get(id);
    if (job == null) {
      return new StateResult.NoSuchJob();
    }
    if (job.state() != from && job.state() != to) {
      return new StateResult.Refused(notOpen(id).orElse("job " + id + " is open"));
    }
    if (job.state() == from) {
      put(job.in(to));
    }
    return new StateResult.Reached(job.in(to));
  }

  @Override
  public synchronized LimitResult limit(JobId id, Optional<StepId> step, Limits changed) {
    boolean here = jobs.containsKey(id);
    if (!here || (step.isPresent() && !isStep(id, step.get()))) {
      return new LimitResult.NotHere();
    }
    Limits now = limits.getOrDefault(place(id, step), Limits.NONE).with(changed);
    Optional<String> over = step.flatMap(_ -> overTheJobs(id, now));
    if (over.isPresent()) {
      return new LimitResult.Refused(over.get());
    }
    limits.put(place(id, step), now);
    return new LimitResult.Changed(now);
  }

  @Override
  public synchronized LimitResult devices(JobId id, Optional<StepId> step, DeviceRules rules) {
    boolean here = jobs.containsKey(id);
    if (!here || (step.isPresent() && !isStep(id, step.get()))) {
      return new LimitResult.NotHere();
    }
    devices.put(place(id, step), rules);
    return new LimitResult.Changed(limits.getOrDefault(place(id, step), Limits.NONE));
  }

  @Override
  public synchronized Map<String, String> variables(JobId id) {
    return variables.getOrDefault(id, Map.of());
  }

  @Override
  public DeviceRules deviceRules(JobId id) {
    return devicesOf(id, Optional.empty());
  }

  /** The rules that a job, or its step, was given last. */
  public synchronized DeviceRules devicesOf(JobId id, Optional<StepId> step) {
    return devices.getOrDefault(place(id, step), DeviceRules.OPEN);
  }

  /** The one limit of a step that is compared with the job's here. */
  private Optional<String> overTheJobs(JobId id, Limits step) {
    long job =
        limits
            .getOrDefault(place(id, Optional.empty()), Limits.NONE)
            .memoryMax()
            .orElse(Limits.UNLIMITED);
    return step.memoryMax().orElse(0) > job
        ? Optional.of(
            "memory.max " + step.memoryMax().getAsLong() + " is over the parent's: " + job)
        : Optional.empty();
  }

  private boolean isStep(JobId id, StepId step) {
    return step.equals(StepId.EXTERN) || steps.getOrDefault(id, List.of()).contains(step);
  }

  private static String place(JobId id, Optional<StepId> step) {
    return id + step.map(each -> "." + each).orElse("");
  }

  @Override
  public synchronized Optional<ClosingSession> closing(PinnedProcess process) {
    return Optional.ofNullable(places.get(process.ref()))
        .filter(it -> it.session().isPresent() && jobs.containsKey(it.step.job()))
        .map(place -> () -> closed(place));
  }

  private synchronized Optional<UsageRecord> closed(Place place) {
    Optional<UsageRecord> record =
        Optional.ofNullable(jobs.get(place.step.job()))
            .map(job -> session(job, place.session().getAsLong(), Optional.empty()));
    if (record.isPresent() && living(place.leaf) > 1) {
      tell(record.get());
    }
    return record;
  }

  private void tell(UsageRecord record) {
    listeners.forEach(listener -> listener.recorded(record));
  }

  /** Tells listeners of a incident. */
  public synchronized void incident(Incident incident) {
    listeners.forEach(listener -> listener.incident(incident));
  }

  /** As if this process had been started by the other, where that one is. */
  public synchronized void follow(FakeProcess process, FakeProcess parent) {
    Optional.ofNullable(places.get(parent.ref())).ifPresent(at -> places.put(process.ref(), at));
  }

  private int living(String leaf) {
    return (int)
        places.entrySet().stream()
            .filter(each -> each.getValue().leaf.equals(leaf))
            .filter(each -> fake(each.getKey()).filter(FakeProcess::alive).isPresent())
            .count();
  }

  private UsageRecord session(Job job, long number, Optional<Instant> ended) {
    return new UsageRecord(
        Kind.SESSION,
        job.id(),
        Optional.of(StepId.EXTERN),
        OptionalLong.of(number),
        job.uid(),
        job.startedAt(),
        ended,
        used(living("session_" + number)));
  }

  private UsageRecord step(Job job, StepId step, Optional<Instant> ended) {
    long now = inJob(job.id()).stream().filter(each -> each.step().equals(step)).count();
    return new UsageRecord(
        Kind.STEP,
        job.id(),
        Optional.of(step),
        OptionalLong.empty(),
        job.uid(),
        job.startedAt(),
        ended,
        used(now));
  }

  private UsageRecord whole(Job job, Optional<Instant> ended) {
    return new UsageRecord(
        Kind.JOB,
        job.id(),
        Optional.empty(),
        OptionalLong.empty(),
        job.uid(),
        job.startedAt(),
        ended,
        used(inJob(job.id()).size(), userTimes.getOrDefault(job.id(), Duration.ZERO)));
  }

  /** From now on a job has used so much. */
  public synchronized void used(JobId id, Duration userTime) {
    userTimes.put(id, userTime);
  }

  /** From now on memory and block devices are measured, as so many bytes for each job. */
  public synchronized void measures(long each) {
    bytes = OptionalLong.of(each);
  }

  /** From now on listeners get no accounts, as of Slurm's jobs. */
  public synchronized void withoutAccounts() {
    accounts = false;
  }

  /** A step of the job has ended. */
  public void mayEnd(JobId id) {
    list().stream()
        .filter(job -> job.id().equals(id))
        .forEach(job -> listeners.forEach(listener -> listener.mayEnd(job)));
  }

  @Override
  public synchronized boolean accounts() {
    return accounts;
  }

  private Usage used(long processes) {
    return used(processes, Duration.ZERO);
  }

  /** Only processes, and what a test says, are counted here. */
  private Usage used(long processes, Duration userTime) {
    OptionalLong no = OptionalLong.empty();
    return new Usage(
        Optional.of(userTime),
        Optional.of(Duration.ZERO),
        bytes,
        no,
        bytes,
        bytes,
        OptionalLong.of(processes),
        no,
        no,
        no,
        Optional.empty(),
        MemoryDetails.NONE);
  }

  private List<StepId> stepsOf(JobId id) {
    List<StepId> all = new ArrayList<>(List.of(StepId.EXTERN));
    all.addAll(steps.getOrDefault(id, List.of()));
    return all;
  }

  private List<Long> sessionsOf(JobId id) {
    return places.values().stream()
        .filter(place -> place.step.job().equals(id))
        .flatMap(place -> place.session().stream().boxed())
        .distinct()
        .sorted()
        .toList();
  }

  /** Takes the last account of sessions whose processes are gone. */
  private void reap(JobId id) {
    Job job = jobs.get(id);
    if (job == null) {
      return;
    }
    for (long number : sessionsOf(id)) {
      String leaf = "session_" + number;
      if (living(leaf) == 0) {
        tell(session(job, number, Optional.of(Instant.now())));
        places.values().removeIf(place -> place.leaf.equals(leaf));
      }
    }
  }

  @Override
  public synchronized List<UsageRecord> usage(JobId id) {
    Job job = jobs.get(id);
    if (job == null) {
      return List.of();
    }
    List<UsageRecord> records = new ArrayList<>(List.of(whole(job, Optional.empty())));
    stepsOf(id).forEach(step -> records.add(step(job, step, Optional.empty())));
    sessionsOf(id).forEach(number -> records.add(session(job, number, Optional.empty())));
    return records;
  }

  @Override
  public void measure(Job job, MeasureDepth depth, Consumer<Measured> each) {
    for (UsageRecord record : usage(job.id())) {
      if (depth.has(MeasureDepth.of(record.kind()))) {
        each.accept(
            new Measured(
                record.job(),
                record.step(),
                record.session(),
                record.began(),
                Measures.of(record.usage())));
      }
    }
  }

  @Override
  public synchronized StepResult beginStep(
      JobId id, Optional<StepId> wanted, Limits own, DeviceRules rules) {
    Optional<String> closed = notOpen(id);
    if (closed.isPresent()) {
      return new StepResult.Refused(closed.get());
    }
    if (wanted.equals(Optional.of(StepId.EXTERN))) {
      return new StepResult.Refused("step " + id + ".extern began with its job");
    }
    Optional<String> over = overTheJobs(id, own);
    if (over.isPresent()) {
      return new StepResult.Refused(over.get());
    }
    List<StepId> made = steps.computeIfAbsent(id, _ -> new ArrayList<>());
    StepId step = wanted.orElseGet(() -> StepId.of(nextNumber(made)));
    if (!made.contains(step)) {
      made.add(step);
    }
    limits.put(place(id, Optional.of(step)), own);
    devices.put(place(id, Optional.of(step)), rules);
    String path = new Place(new JobStep(id, step), "task_0", 0).path();
    Path procs = Path.of("/sys/fs/cgroup" + path + "/cgroup.procs");
    return new StepResult.Made(
        new JobStep(id, step), List.of(procs), setup(id), StepContainer.NONE);
  }

  private static long nextNumber(List<StepId> made) {
    return made.stream()
            .map(StepId::text)
            .filter(text -> text.matches("[0-9]+"))
            .mapToLong(Long::parseLong)
            .max()
            .orElse(-1)
        + 1;
  }

  private Optional<String> notOpen(JobId id) {
    Job job = jobs.get(id);
    if (job == null) {
      return Optional.of("job " + id + " is not on this node");
    }
    return job.state() == JobState.OPEN
        ? Optional.empty()
        : Optional.of("job " + id + " is " + job.state().name().toLowerCase(Locale.ROOT));
  }

  /** From now on it is not known which jobs are here, for this reason; empty: it is known. */
  public synchronized void unknown(Optional<String> reason) {
    unknown = reason;
    listeners.forEach(Listener::knownOrNot);
  }

  /** From now on it is not known of any cgroup whether it is a job's. */
  public synchronized void forgetful(boolean now) {
    forgetful = now;
  }

  @Override
  public synchronized Optional<String> unknownBecause() {
    return unknown;
  }

  @Override
  public synchronized List<Job> list() {
    return jobs.values().stream().sorted(Job.OLDEST_FIRST).toList();
  }

  @Override
  public synchronized AdoptResult adopt(PinnedProcess process, JobId into, int uid, From from) {
    Optional<String> closed = notOpen(into);
    if (closed.isPresent()) {
      return new AdoptResult.NotOpen(closed.get());
    }
    if (requireNonNull(jobs.get(into)).uid() != uid) {
      return AdoptResult.NotOpen.noJobOf(uid, into);
    }
    if (!process.alive()) {
      return new AdoptResult.Failed("process " + process.ref().pid() + " has ended");
    }
    if (refusal.isPresent()) {
      return new AdoptResult.Failed(refusal.get());
    }
    Place now = places.get(process.ref());
    Optional<String> kept = kept(process.ref(), into, from);
    if (kept.isPresent()) {
      return new AdoptResult.Kept(kept.get());
    }
    if (now == null || !now.step.job().equals(into)) {
      String leaf = above + "session_" + ++lastSession;
      now = new Place(new JobStep(into, StepId.EXTERN), leaf, ++lastCgroup);
      places.put(process.ref(), now);
    }
    return new AdoptResult.Adopted(now.step, "", now.path(), setup(into));
  }

  private Optional<String> kept(ProcessRef process, JobId into, From from) {
    Optional<JobId> left =
        Optional.ofNullable(places.get(process))
            .map(place -> place.step.job())
            .filter(job -> !job.equals(into));
    return from == From.NO_JOB
        ? left.map(job -> "process " + process.pid() + " is in job " + job)
        : left.flatMap(this::notOpen)
            .map(why -> "process " + process.pid() + " stays where it is: " + why);
  }

  @Override
  public synchronized List<JobProcess> processes(JobId id) {
    if (jobs.containsKey(id) && jobs.get(id).state() == JobState.OPEN) {
      reap(id);
    }
    return inJob(id);
  }

  private List<JobProcess> inJob(JobId id) {
    List<JobProcess> found = new ArrayList<>();
    places.forEach((ref, place) -> {
      if (place.step.job().equals(id)) {
        fake(ref)
            .filter(FakeProcess::alive)
            .map(process -> new JobProcess(ref, place.step.step(), process.command()))
            .ifPresent(found::add);
      }
    });
    return List.copyOf(found);
  }

  @Override
  public synchronized Optional<Membership> membershipOf(CgroupIds cgroups) {
    if (forgetful) {
      return Optional.empty();
    }
    return places.values().stream()
        .filter(place -> place.cgroup == cgroups.v2())
        .<Membership>map(place -> new Membership.InJob(place.step))
        .findFirst()
        .or(() -> Optional.of(new Membership.NoJob()));
  }

  @Override
  public synchronized Optional<Membership> membershipOf(ProcessRef process) {
    if (fake(process).filter(FakeProcess::alive).isEmpty()) {
      return Optional.empty();
    }
    Place place = places.get(process);
    return Optional.of(place == null ? new Membership.NoJob() : new Membership.InJob(place.step));
  }

  @Override
  public synchronized void listen(Listener listener) {
    listeners.add(listener);
  }
}
