package dev.rollcall.agent.account;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.usage.Incident;
import dev.rollcall.model.usage.UsageRecord;
import dev.rollcall.model.usage.UsageRecord.Kind;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.wire.lines.LineMeters;
import dev.rollcall.wire.metrics.EnumCounters;
import dev.rollcall.wire.pace.SharedTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Reads what jobs used and their incidents, and publishes both. */
public final class AccountVerticle extends VerticleBase {
  private static final System.Logger LOG = System.getLogger(AccountVerticle.class.getName());

  /** sshd's last process ends shortly after it closed the session. */
  private static final long TO_END_MS = 1_000;

  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(30);

  /**
   * @param file where records are written
   * @param stateDirectory where they wait for it
   */
  public record Files(Path file, Path stateDirectory) {}

  private final Bus bus;
  private final SharedTimer timer;
  private final Jobs jobs;
  private final NodeName node;
  private final Files files;
  private final Runnable cleanUp;
  private final WorkerExecutor workers;
  private final MeterRegistry registry;
  private final NodeUsage usage;
  private final LastHour lastHour = new LastHour();
  private final Set<JobId> due = ConcurrentHashMap.newKeySet();
  private final EnumCounters<Kind> records;
  private @Nullable UsageFile file;
  private boolean cleanUpIsDue;
  private boolean looking;

  /**
   * @param cleanUp takes the last accounts of sessions that have ended; may block
   */
  public AccountVerticle(
      Bus bus,
      SharedTimer timer,
      Jobs jobs,
      NodeName node,
      Files files,
      Runnable cleanUp,
      WorkerExecutor workers,
      MeterRegistry registry) {
    this.bus = bus;
    this.timer = timer;
    this.jobs = jobs;
    this.node = node;
    this.files = files;
    this.cleanUp = cleanUp;
    this.workers = workers;
    this.registry = registry;
    this.usage = new NodeUsage(jobs, registry);
    for (Incident.Kind each :
        jobs.accounts() ? EnumSet.allOf(Incident.Kind.class) : EnumSet.of(Incident.Kind.ESCAPED)) {
      var _ = NodeUsage.incidents(registry, each);
    }
    records =
        new EnumCounters<>(
            registry,
            "rollcall.account.records",
            "kind",
            jobs.accounts() ? EnumSet.allOf(Kind.class) : EnumSet.noneOf(Kind.class));
  }

  @Override
  public Future<?> start() throws Exception {
    file =
        new UsageFile(
            files.file(), files.stateDirectory(), LineMeters.of(registry, "rollcall.account.file"));
    jobs.listen(
        new Jobs.Listener() {
          @Override
          public void changed(Job job) {}

          @Override
          public void recorded(UsageRecord record) {
            onRecord(record);
          }

          @Override
          public void incident(Incident incident) {
            onIncident(incident);
          }

          @Override
          public void mayEnd(Job job) {
            context.runOnContext(_ -> lookSoon(job.id()));
          }
        });
    bus.hear(Topics.INCIDENT_RECORDED, this::count);
    bus.answer(Queries.SESSION_CLOSED, this::close);
    bus.answer(
        Queries.LAST_HOUR, job -> Future.succeededFuture(lastHour.of(job, System.nanoTime())));
    look();
    var _ = timer.repeat(BETWEEN_LOOKS, this::look);
    return Future.succeededFuture();
  }

  /** On the thread that took the account: the leaf goes when this returns. */
  private void onRecord(UsageRecord record) {
    UsageFile to = file;
    if (to == null || !to.add(UsageJson.line(record, node))) {
      return;
    }
    records.of(record.kind()).increment();
    if (record.kind() == Kind.JOB && record.ended().isPresent()) {
      usage.ended(record);
    }
    context.runOnContext(_ -> bus.tell(Topics.USAGE_RECORDED, record));
  }

  private void onIncident(Incident incident) {
    LOG.log(
        WARNING,
        "{0} in job {1}{2}: {3}, {4} times",
        incident.kind().word(),
        incident.step(),
        incident.session().isPresent() ? " session " + incident.session().getAsLong() : "",
        incident.what(),
        Long.toString(incident.times()));
    context.runOnContext(_ -> bus.tell(Topics.INCIDENT_RECORDED, incident));
  }

  /** Handles incidents of jobs, and of the stage that searches for processes outside of jobs. */
  private void count(Incident incident) {
    NodeUsage.incidents(registry, incident.kind()).increment((double) incident.times());
  }

  /** Where the session is is read at once: sshd may end before the rest is done. */
  private Future<Optional<UsageRecord>> close(PinnedProcess leader) {
    return vertx
        .executeBlocking(() -> jobs.closing(leader), false)
        .compose(session ->
            session.isEmpty()
                ? Future.succeededFuture(Optional.<UsageRecord>empty())
                : workers.executeBlocking(session.get()::close, false))
        .onSuccess(account -> account.ifPresent(_ -> cleanUpSoon()));
  }

  /** Once for all sessions that close meanwhile. */
  private void cleanUpSoon() {
    if (cleanUpIsDue) {
      return;
    }
    cleanUpIsDue = true;
    vertx.setTimer(
        TO_END_MS,
        _ -> {
          cleanUpIsDue = false;
          onWorker(cleanUp);
        });
  }

  /** On a node without jobs nothing is done. */
  private void look() {
    if (looking || (jobs.list().isEmpty() && usage.isNothing())) {
      return;
    }
    looking = true;
    onWorker(() -> lastHour.add(usage.look(), System.nanoTime())).onComplete(_ -> looking = false);
  }

  /** Once for all steps that end until then. */
  private void lookSoon(JobId job) {
    if (due.add(job)) {
      onWorker(() -> {
        due.remove(job);
        usage.look(job);
      });
    }
  }

  private Future<?> onWorker(Runnable work) {
    return workers
        .executeBlocking(Executors.callable(work), false)
        .onFailure(
            cause -> LOG.log(WARNING, "the accounts of the node's jobs cannot be read", cause));
  }

  @Override
  public Future<?> stop() {
    UsageFile open = file;
    return open == null
        ? Future.succeededFuture()
        : workers.executeBlocking(Executors.callable(open::close), false);
  }
}
