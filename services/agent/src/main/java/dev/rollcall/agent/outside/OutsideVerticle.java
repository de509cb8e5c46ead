package dev.rollcall.agent.outside;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.agent.outside.OutsideCheck.Finding;
import dev.rollcall.linux.execs.ExecWatch;
import dev.rollcall.model.Job;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.Processes;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Finds processes that users of this node's jobs start outside these jobs. */
public final class OutsideVerticle extends VerticleBase {
  private static final System.Logger LOG = System.getLogger(OutsideVerticle.class.getName());
  private static final int MOST_WAITING = 4_096;
  private static final Duration QUIET = Duration.ofSeconds(60);

  /** The user's instance moves what it starts to its unit at once, and its generators end. */
  private static final Duration TO_PASS = Duration.ofSeconds(1);

  private final Bus bus;
  private final Jobs jobs;
  private final Execs execs;
  private final Processes processes;
  private final OutsideCheck findings;
  private final WorkerExecutor worker;
  private final OutsideMeters meters;
  private final OutsideReports telling = new OutsideReports(QUIET, System::nanoTime);
  private final AtomicInteger waiting = new AtomicInteger();
  private final Set<Integer> watched = new HashSet<>();
  private String notWatched = "";
  private Opening opening = Opening.NOT_YET;

  private final OutsideProcessList asked;

  /**
   * The parts of the kernel that the stage uses.
   *
   * @param isPerson which uids are users', and not the system's
   */
  public record Kernel(Execs execs, Processes processes, IntPredicate isPerson) {}

  /**
   * Where the stage works.
   *
   * @param dealing one thread: what is seen is dealt with in its order
   * @param looking one thread for who asks, so that nothing that is seen waits behind it
   */
  public record Workers(WorkerExecutor dealing, WorkerExecutor looking) {}

  /**
   * @param isOwn this node's addresses
   */
  public OutsideVerticle(
      Bus bus,
      Jobs jobs,
      Kernel kernel,
      UserServices wanted,
      Workers workers,
      Predicate<InetAddress> isOwn,
      MeterRegistry registry) {
    this.bus = bus;
    this.jobs = jobs;
    this.execs = kernel.execs();
    this.processes = kernel.processes();
    this.findings = new OutsideCheck(jobs, kernel.processes(), wanted, Clock.systemUTC());
    this.worker = workers.dealing();
    var outsideProcesses =
        new OutsideProcesses(jobs, processes, kernel.isPerson(), wanted, Clock.systemUTC());
    this.asked =
        new OutsideProcessList(bus, outsideProcesses, workers.looking(), isOwn, System::nanoTime);
    this.meters = new OutsideMeters(registry);
  }

  /**
   * Where the kernel reports no exec, the agent goes on without, and shows that by one log line and
   * a meter.
   */
  @Override
  public Future<?> start() {
    bus.answer(
        Queries.OUTSIDE_PROCESSES_LISTED,
        wanted -> asked.answer(wanted, meters.watching.get() == 1));
    bus.hear(Topics.JOB_CHANGED, _ -> jobChanged());
    opening = open();
    jobChanged();
    return Future.succeededFuture();
  }

  /** How far the kernel reports programs. */
  private enum Opening {
    OPEN,
    /** Another job may make it possible. */
    NOT_YET,
    UNDER_WAY,
    NEVER
  }

  private Opening open() {
    try {
      execs.open(
          new ExecWatch.Listener() {
            @Override
            public void begun(int pid, int uid) {
              examineLater(pid);
            }

            @Override
            public void lost(long count) {
              meters.lost.increment((double) count);
            }
          });
      meters.watching.set(1);
      return Opening.OPEN;
    } catch (Execs.NotYetException e) {
      LOG.log(
          DEBUG,
          "programs that users start outside of their jobs are not detected: {0}",
          e.getMessage());
      return Opening.NOT_YET;
    } catch (IOException e) {
      LOG.log(
          WARNING,
          "programs that users start outside of their jobs are not detected: {0}",
          e.getMessage());
      return Opening.NEVER;
    }
  }

  /** On the event loop. */
  private void jobChanged() {
    switch (opening) {
      case OPEN -> watch();
      case NOT_YET -> openLater();
      case UNDER_WAY, NEVER -> {}
    }
  }

  private void openLater() {
    if (jobs.list().isEmpty()) {
      return;
    }
    opening = Opening.UNDER_WAY;
    worker
        .executeBlocking(this::open, true)
        .onComplete(opened -> {
          opening = opened.succeeded() ? opened.result() : Opening.NEVER;
          if (opening == Opening.OPEN) {
            watch();
          }
        });
  }

  /** On the event loop. */
  private void watch() {
    Set<Integer> users =
        jobs.list().stream().map(Job::uid).filter(uid -> uid != 0).collect(Collectors.toSet());
    if (users.equals(watched)) {
      return;
    }
    Set<Integer> fresh = new HashSet<>(users);
    fresh.removeAll(watched);
    watched.clear();
    watched.addAll(users);
    worker
        .executeBlocking(
            () -> {
              execs.watch(users);
              // Processes that they began before they had a job here.
              if (!fresh.isEmpty()) {
                processes.forEach(fresh::contains, pid -> examine(pid, false));
              }
              return true;
            },
            true)
        .onSuccess(_ -> notWatched = "")
        .onFailure(cause -> {
          watched.removeAll(fresh); // the next change of a job tries again
          tellOfUnwatched(fresh, String.valueOf(cause.getMessage()));
        });
  }

  /** Once for a reason, until all are watched. */
  private void tellOfUnwatched(Set<Integer> users, String reason) {
    if (!reason.equals(notWatched)) {
      LOG.log(WARNING, "users {0} are not all watched: {1}", users, reason);
    }
    notWatched = reason;
  }

  private void examineLater(int pid) {
    if (takesOneMore()) {
      onWorker(() -> examine(pid, true));
    }
  }

  private boolean takesOneMore() {
    if (waiting.incrementAndGet() > MOST_WAITING) {
      waiting.decrementAndGet();
      meters.lost.increment();
      return false;
    }
    return true;
  }

  private void onWorker(Runnable work) {
    worker
        .executeBlocking(Executors.callable(work), true)
        .onComplete(_ -> waiting.decrementAndGet());
  }

  /**
   * On the worker thread.
   *
   * @param begun whether its program began just now; the instance's child is found in the search
   *     only, since it has none of its own
   */
  private void examine(int pid, boolean begun) {
    try {
      Optional<Finding> finding = findings.examine(pid);
      finding.ifPresent(this::tell);
      finding
          .filter(it -> it.isPassing() && (begun || !UnitKind.isCalledAsPamChild(it.seen())))
          .ifPresent(it -> lookAgain(it.seen().process()));
    } catch (IOException e) {
      LOG.log(WARNING, "process {0}: {1}", Integer.toString(pid), e.getMessage());
    }
  }

  private void lookAgain(ProcessRef process) {
    if (takesOneMore()) {
      vertx.setTimer(TO_PASS.toMillis(), _ -> onWorker(() -> examineAgain(process)));
    }
  }

  /** On the worker thread. */
  private void examineAgain(ProcessRef process) {
    try {
      findings.examineAgain(process).ifPresent(this::tell);
    } catch (IOException e) {
      LOG.log(WARNING, "process {0}: {1}", Integer.toString(process.pid()), e.getMessage());
    }
  }

  private void tell(Finding finding) {
    if (!telling.isNew(finding)) {
      return;
    }
    meters.seen(finding.place(), finding.action());
    if (finding.place() == UnitKind.USER_MANAGER
        && finding.action() == OutsideCheck.Action.REPORTED) {
      return; // pam_systemd begins one with each user's first session
    }
    telling
        .of(finding)
        .ifPresent(incident -> {
          LOG.log(
              WARNING,
              "job {0}: {1} ({2} times)",
              incident.step().job(),
              incident.what(),
              Long.toString(incident.times()));
          bus.tell(Topics.INCIDENT_RECORDED, incident);
        });
  }

  @Override
  public Future<?> stop() {
    execs.close();
    return Future.succeededFuture();
  }
}
