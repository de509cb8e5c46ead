package dev.rollcall.jobs.usage;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.tree.Hierarchy;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.jobs.tree.Leaves;
import dev.rollcall.jobs.untrusted.TerminalSender;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.LimitAlarm;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.model.usage.Incident;
import dev.rollcall.model.usage.Incident.Kind;
import java.io.IOException;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Detects OOM kills and refused forks, and reports them to listeners and to the session's
 * terminals. A thread of its own waits for the kernel; where the kernel does not wake it, the next
 * sweep looks.
 */
public final class JobIncidents implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(JobIncidents.class.getName());

  /** Between two looks, so that a fork bomb at its limit does not keep us busy. */
  private static final long PAUSE_MS = 200;

  /** After v1's alarm, which comes before the kill: when to look again, besides. */
  private static final List<Long> AFTER_ALARM_MS = List.of(800L, 2_000L);

  private final JobTree tree;
  private final Leaves leaves;
  private final Remains remains;
  private final LimitNames limits;
  private final TerminalSender terminals;
  private final InstantSource clock;
  private final Function<JobId, Optional<Job>> jobs;
  private final Consumer<Incident> told;
  private final LimitAlarm alarm;
  private final Thread thread;
  private final Map<JobId, Hits> hits = new ConcurrentHashMap<>();
  private final LineThrottle lines = new LineThrottle(System::nanoTime);

  /**
   * @param jobs the job with this id, if it is here
   * @param told gets each incident, on any thread
   */
  public JobIncidents(
      JobTree tree,
      Leaves leaves,
      Accounts accounts,
      TerminalSender terminals,
      InstantSource clock,
      Function<JobId, Optional<Job>> jobs,
      Consumer<Incident> told)
      throws IOException {
    this.tree = tree;
    this.leaves = leaves;
    this.remains = accounts.remains();
    this.limits = new LimitNames(tree);
    this.terminals = terminals;
    this.clock = clock;
    this.jobs = jobs;
    this.told = told;
    this.alarm = LimitAlarm.open();
    this.thread = Thread.ofPlatform().name("rollcall-incidents").daemon().start(this::waiting);
  }

  /**
   * Watches a job.
   *
   * @param fresh whether it began just now
   */
  public void watch(Job job, boolean fresh) {
    hits.put(job.id(), new Hits(tree, leaves, remains, fresh));
    add(job.id(), each -> each.job(job.id()));
    try {
      for (StepId step : leaves.steps(job.id())) {
        watch(new JobStep(job.id(), step));
        for (CgroupDirectory leaf : tree.identity().user(new JobStep(job.id(), step)).children()) {
          watch(new JobStep(job.id(), step), String.valueOf(leaf.path().getFileName()));
        }
      }
      if (!fresh) {
        look(job);
      }
    } catch (IOException e) {
      LOG.log(WARNING, "incidents of job {0} are found late: {1}", job.id(), e.getMessage());
    }
  }

  /** Watches a step that is there now. */
  public void watch(JobStep step) {
    add(step.job(), each -> each.step(step));
    tree.hierarchies().forEach(each -> alarm.addOom(step.job(), each.step(step)));
  }

  /** Watches a leaf that is there now. */
  public void watch(JobStep step, String leaf) {
    add(step.job(), each -> each.leaf(step, leaf));
  }

  private void add(JobId job, Function<Hierarchy, CgroupDirectory> place) {
    tree.hierarchies().forEach(each -> alarm.add(job, place.apply(each)));
  }

  public void forget(JobStep step, String leaf) {
    tree.hierarchies().forEach(each -> alarm.remove(each.leaf(step, leaf)));
  }

  public void forget(JobId job) {
    hits.remove(job);
    lines.forget(job);
    alarm.remove(job);
  }

  /** How many files are watched. */
  public int watches() {
    return alarm.watches();
  }

  /** Reports the incidents of this job since the last look. */
  public void look(Job job) {
    Hits known = hits.get(job.id());
    if (known == null || job.state() == JobState.CLOSING) {
      return;
    }
    try {
      for (Hits.More more : known.look(job)) {
        tell(job, more);
      }
    } catch (IOException e) {
      LOG.log(WARNING, "cannot read the incidents of job {0}: {1}", job.id(), e.getMessage());
    }
  }

  private void tell(Job job, Hits.More more) throws IOException {
    String what = limits.of(more.step(), more.kind());
    told.accept(
        new Incident(
            more.kind(), more.step(), more.session(), more.times(), clock.instant(), what));
    CgroupDirectory hit =
        more.session().isPresent()
            ? tree.identity().leaf(more.step(), Leaves.session(more.session().getAsLong()))
            : tree.identity().user(more.step());
    if (lines.admits(more.step(), more.session(), more.kind())) {
      terminals.send(job, line(more, what), hit::pidsBelow);
    }
  }

  private static String line(Hits.More more, String what) {
    return more.kind() == Kind.OOM_KILL
        ? "rollcall: the kernel killed a process of job %s because memory ran out: %s"
            .formatted(more.step().job(), what)
        : "rollcall: job %s may start no more processes: %s".formatted(more.step().job(), what);
  }

  private void waiting() {
    try {
      Optional<LimitAlarm.Hit> hit = alarm.await();
      while (hit.isPresent()) {
        react(hit.get());
        hit = alarm.await();
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.log(
          WARNING, "incidents are found by periodic checks alone from now on: {0}", e.getMessage());
    }
  }

  private void react(LimitAlarm.Hit hit) throws InterruptedException {
    Thread.sleep(PAUSE_MS);
    Set<JobId> all = new HashSet<>(hit.counted());
    all.addAll(hit.oom());
    all.forEach(this::look);
    if (!hit.oom().isEmpty()) {
      for (long pause : AFTER_ALARM_MS) {
        Thread.sleep(pause);
        hit.oom().forEach(this::look);
      }
    }
  }

  private void look(JobId job) {
    jobs.apply(job).ifPresent(this::look);
  }

  @Override
  public void close() {
    alarm.stop();
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    alarm.close();
  }
}
