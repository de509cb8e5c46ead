package dev.rollcall.gateway.batch;

import dev.rollcall.gateway.stream.ConnectedNode;
import dev.rollcall.gateway.work.Workers;
import dev.rollcall.model.JobId;
import dev.rollcall.port.Jobs.JobSpec;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.JobFacts;
import dev.rollcall.proto.roll.v1.JobsQuestion;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.JobMapper;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gathers nodes' questions about their jobs, and asks the batch system once for all, within a
 * limited rate.
 */
public final class BatchQuestions {
  private static final System.Logger LOG = System.getLogger(BatchQuestions.class.getName());

  private final Optional<Path> program;
  private final Optional<Squeue> squeue;
  private final Workers workers;
  private final OpenQuestions questions;
  private final Counter answered;
  private final Counter failed;
  private final Counter told;
  private final Timer time;

  /** The kind of the last run's failure. On the worker of the one run. */
  private volatile Optional<String> failing = Optional.empty();

  /**
   * @param program squeue; empty: nobody is asked, and no question is answered
   * @param every the least time from one run of it to the next
   */
  public BatchQuestions(
      Optional<Path> program, Duration every, Workers workers, MeterRegistry registry) {
    this.program = program;
    this.squeue = program.map(file -> new Squeue(file, Squeue.DEADLINE, Squeue.MOST_BYTES));
    this.workers = workers;
    this.questions = new OpenQuestions(every, System::nanoTime);
    answered = registry.counter("rollcall.gateway.squeue.runs", "outcome", "answered");
    failed = registry.counter("rollcall.gateway.squeue.runs", "outcome", "failed");
    time = registry.timer("rollcall.gateway.squeue.time");
    told = registry.counter("rollcall.gateway.facts.sent");
    registry.gauge("rollcall.gateway.facts.waiting", questions, OpenQuestions::count);
  }

  /**
   * A node's question. What is known is told at once, the rest when it is; from any thread.
   *
   * @throws BadWordException naming the job id that is none
   */
  public void asked(ConnectedNode node, JobsQuestion question) {
    var jobs = new ArrayList<JobId>();
    for (int i = 0; i < question.getJobIdsCount(); i++) {
      jobs.add(CallerMapper.jobId(question.getJobIds(i), "jobs_question.job_ids[" + i + "]"));
    }
    if (squeue.isPresent()) {
      tell(node, questions.ask(node, jobs));
    }
  }

  public void left(ConnectedNode node) {
    questions.forget(node);
  }

  /** Asks the batch system if a question waits and a request is permitted. Called every second. */
  public void tick() {
    if (squeue.isPresent() && questions.begin()) {
      var _ =
          workers.run(() -> time.recordCallable(squeue.get()::ask)).whenComplete(this::answered);
    }
  }

  private void answered(@Nullable SqueueAnswer answer, @Nullable Throwable failure) {
    switch (answer) {
      case null -> failed("work", "it could not be run: " + failure);
      case SqueueAnswer.Failed(String kind, String reason) -> failed(kind, reason);
      case SqueueAnswer.Told(var started) -> {
        answered.increment();
        if (failing.isPresent()) {
          LOG.log(Level.INFO, "{0} answers again", program.orElseThrow());
        }
        failing = Optional.empty();
        questions.answered(started).forEach(this::tell);
      }
    }
  }

  private void failed(String kind, String reason) {
    failed.increment();
    if (!failing.equals(Optional.of(kind))) {
      LOG.log(Level.WARNING, "{0}: {1}", program.orElseThrow(), reason);
    }
    failing = Optional.of(kind);
    questions.failed();
  }

  private void tell(ConnectedNode node, List<JobSpec> facts) {
    if (facts.isEmpty()) {
      return;
    }
    var message = JobFacts.newBuilder();
    facts.forEach(fact -> message.addFacts(JobMapper.fact(fact)));
    told.increment(facts.size());
    node.orders().send(ConnectResponse.newBuilder().setJobFacts(message).build());
  }
}
