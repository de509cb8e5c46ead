package dev.rollcall.agent.login.file;

import dev.rollcall.agent.event.JobChosen;
import dev.rollcall.agent.login.caller.PendingCallers;
import dev.rollcall.linux.KernelTime;
import dev.rollcall.model.Caller;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.port.Jobs;
import dev.rollcall.proto.login.v1.Ask;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Writes the files of logins as jobs, choices and callers change. A change of a job is written on
 * the thread that makes it, so that a job's begin and end are in the files as they are answered;
 * callers, which may come in floods, on a worker, many at once.
 */
public final class LoginFileWriter implements PendingCallers.Listener {
  private final Jobs jobs;
  private final WorkerExecutor worker;
  private final LoginFiles files;
  private final AtomicBoolean callersAreDue = new AtomicBoolean();

  /**
   * @param directory is made; for root alone
   * @param auditOnly whether decisions about some users are only recorded
   * @param worker of one thread
   */
  public LoginFileWriter(
      Path directory,
      NodeFacts node,
      JobFile jobFile,
      Jobs jobs,
      BooleanSupplier auditOnly,
      WorkerExecutor worker,
      MeterRegistry registry) {
    this.jobs = jobs;
    this.worker = worker;
    this.files =
        new LoginFiles(
            new LoginDirectory(directory),
            node,
            jobFile,
            () -> ask(auditOnly, jobs),
            KernelTime.BOOT::now,
            registry.counter("rollcall.login.write.failures"));
  }

  private static Ask ask(BooleanSupplier auditOnly, Jobs jobs) {
    if (auditOnly.getAsBoolean()) {
      return Ask.ASK_AUDIT_ONLY;
    }
    return jobs.unknownBecause().isPresent() ? Ask.ASK_JOBS_UNKNOWN : Ask.ASK_UNSPECIFIED;
  }

  /**
   * Writes all files, and keeps them true from then on.
   *
   * @return the choices of users that an earlier agent of this boot left
   */
  public Future<Map<Integer, JobId>> start() {
    jobs.listen(
        new Jobs.Listener() {
          @Override
          public void changed(Job job) {
            files.changed(job, jobs.sessionPlace(job.id()));
          }

          @Override
          public void knownOrNot() {
            files.renew();
          }
        });
    return worker.executeBlocking(this::begin, true);
  }

  @Override
  public void expected(Connection call, Caller caller, Duration keep) {
    files.expect(call, caller, keep);
    writeCallers();
  }

  @Override
  public void settled(Connection call) {
    files.settled(call);
    writeCallers();
  }

  /**
   * Writes what could not be written before, and the node's file if the reason to ask the agent has
   * changed. Is called now and then, on a thread that may block.
   */
  public void renew() {
    files.renew();
  }

  private Map<Integer, JobId> begin() {
    Map<Integer, JobId> choices = files.recall();
    for (Job job : jobs.list()) {
      files.known(job, jobs.sessionPlace(job.id()));
    }
    files.begin();
    return choices;
  }

  public Future<?> writeChoice(JobChosen choice) {
    return onWorker(() -> files.chose(choice.uid(), choice.job()));
  }

  /** This thread, that of the logins, waits for no file. One write has all that came before it. */
  private void writeCallers() {
    if (files.haveCallersToWrite() && callersAreDue.compareAndSet(false, true)) {
      onWorker(() -> {
        callersAreDue.set(false);
        files.writeCallers();
      });
    }
  }

  private Future<?> onWorker(Runnable work) {
    return worker.executeBlocking(Executors.callable(work), true);
  }

  /** Waits for a write that is under way, and starts no other. */
  public void stop() throws IOException {
    files.close();
  }
}
