package dev.rollcall.agent.gateway;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.port.Jobs;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.time.Clock;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reports this node's jobs and their processes to the gateway: all of them when a stream begins,
 * then the changes. It asks for missing facts. One job is read at a time, on a worker thread, and
 * no faster than the gateway takes it. If a job has more processes than are reported, those that
 * the kernel lists first are. On the stage's context.
 */
final class JobReporter {
  private static final System.Logger LOG = System.getLogger(JobReporter.class.getName());

  /** Processes of a job; users create them. Each reported one takes some 65 bytes. */
  static final int MOST_PROCESSES_OF_A_JOB = 16_384;

  /** Processes of all jobs together. */
  static final int MOST_PROCESSES = 32_768;

  private record Reading(Optional<Job> job, List<JobProcess> processes, Instant at) {}

  private final Map<JobId, ReportedJob> told = new LinkedHashMap<>();
  private final Set<JobId> ofFullState = new HashSet<>();
  private final Vertx vertx;
  private final Jobs jobs;
  private final WorkerExecutor readers;
  private final NodeSelf self;
  private final GatewayConnectionMeters meters;
  private final JobFactRequests facts;
  private @Nullable GatewayStream stream;
  private boolean complete;
  private boolean reading;
  private long timer = -1;

  JobReporter(
      Vertx vertx,
      Jobs jobs,
      WorkerExecutor readers,
      NodeSelf self,
      GatewayConnectionMeters meters,
      JobFactRequests facts) {
    this.vertx = vertx;
    this.jobs = jobs;
    this.readers = readers;
    this.self = self;
    this.meters = meters;
    this.facts = facts;
  }

  /** A stream is open: sends everything, and then StateComplete. */
  void begin(GatewayStream to) {
    end();
    stream = to;
    complete = false;
    for (Job job : jobs.list()) {
      told.put(job.id(), new ReportedJob(System.nanoTime()));
      ofFullState.add(job.id());
    }
    next();
  }

  /** The stream is gone. */
  void end() {
    stream = null;
    told.clear();
    ofFullState.clear();
    vertx.cancelTimer(timer);
    facts.end();
  }

  /** Something happened to this job. */
  void prompt(JobId job) {
    if (stream != null) {
      long now = System.nanoTime();
      told.computeIfAbsent(job, _ -> new ReportedJob(now)).prompt(now);
      next();
      facts.prompt();
    }
  }

  /** Reads what is due, or comes back when something is. */
  private void next() {
    GatewayStream to = stream;
    if (to == null || reading) {
      return;
    }
    if (!complete && ofFullState.isEmpty()) {
      complete = true;
      to.send(EventMessages.STATE_COMPLETE);
      facts.begin(to::send);
    }
    Optional<Map.Entry<JobId, ReportedJob>> first =
        told.entrySet().stream()
            .min((a, b) -> Long.signum(a.getValue().nextNanos() - b.getValue().nextNanos()));
    if (first.isEmpty()) {
      return;
    }
    long wait = first.get().getValue().nextNanos() - System.nanoTime();
    if (wait <= 0) {
      read(to, first.get().getKey(), first.get().getValue());
    } else {
      vertx.cancelTimer(timer);
      timer = vertx.setTimer(TimeUnit.NANOSECONDS.toMillis(wait) + 1, _ -> next());
    }
  }

  private void read(GatewayStream to, JobId id, ReportedJob job) {
    reading = true;
    to.ready()
        .compose(_ -> {
          job.look();
          return readers.executeBlocking(() -> look(id));
        })
        .compose(found -> tell(to, id, job, found))
        .onFailure(cause -> {
          if (to == stream) {
            LOG.log(WARNING, "job " + id + " could not be reported", cause);
            job.failed(System.nanoTime());
          }
        })
        .onComplete(_ -> {
          reading = false;
          next();
        });
  }

  /** On a worker thread. */
  private Reading look(JobId id) {
    Optional<Job> job = jobs.list().stream().filter(one -> one.id().equals(id)).findFirst();
    List<JobProcess> processes = job.isPresent() ? jobs.processes(id) : List.of();
    return new Reading(job, processes, Clock.systemUTC().instant());
  }

  private Future<Void> tell(GatewayStream to, JobId id, ReportedJob job, Reading found) {
    if (to != stream) {
      return Future.succeededFuture();
    }
    ofFullState.remove(id);
    if (found.job().isEmpty()) {
      told.remove(id);
      if (job.told()) {
        meters.jobsGone.increment();
        to.send(EventMessages.gone(id));
      }
      if (job.promptedSinceLook()) {
        told.put(id, new ReportedJob(System.nanoTime()));
      }
      return Future.succeededFuture();
    }
    boolean first = !job.told();
    List<ConnectRequest> messages =
        job.read(
            self,
            found.job().get(),
            bounded(id, job, found.processes()),
            found.at(),
            System.nanoTime());
    if (!messages.isEmpty()) {
      (first ? meters.jobsWhole : meters.jobsChanged).increment();
    }
    return send(to, messages, 0);
  }

  private List<JobProcess> bounded(JobId id, ReportedJob job, List<JobProcess> found) {
    int others = told.values().stream().mapToInt(ReportedJob::kept).sum() - job.kept();
    int most = Math.clamp(MOST_PROCESSES - others, 0, MOST_PROCESSES_OF_A_JOB);
    if (job.nowCut(!found.isEmpty() && found.size() >= most)) {
      LOG.log(
          WARNING,
          "job {0} has {1} processes or more here: the gateways get the first {1}",
          id,
          most);
    }
    return found.subList(0, Math.min(most, found.size()));
  }

  private static Future<Void> send(GatewayStream to, List<ConnectRequest> messages, int from) {
    if (from == messages.size()) {
      return Future.succeededFuture();
    }
    return to.ready()
        .compose(_ -> {
          to.send(messages.get(from));
          return send(to, messages, from + 1);
        });
  }
}
