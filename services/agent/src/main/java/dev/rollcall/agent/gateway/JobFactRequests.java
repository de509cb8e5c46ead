package dev.rollcall.agent.gateway;

import dev.rollcall.model.JobId;
import dev.rollcall.port.Jobs;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Asks the gateway for facts that this node only guesses of its jobs: at once after the state was
 * sent, then as long as a fact is guessed, at most so often. On the stage's context.
 */
final class JobFactRequests {
  static final Duration EVERY = Duration.ofSeconds(30);
  static final int MOST_JOBS = 1_000;

  /** Jobs begin together, and what misses a question waits for the next. */
  private static final Duration GATHERING = Duration.ofSeconds(1);

  private static final long NONE = -1;

  private final Vertx vertx;
  private final Jobs jobs;
  private final Duration every;
  private final GatewayConnectionMeters meters;
  private @Nullable Consumer<ConnectRequest> stream;
  private long timer = NONE;
  private long lastNanos;

  /** Where the last question ended, if it was too long for all. */
  private @Nullable JobId last;

  /**
   * @param every the least time from one question to the next
   */
  JobFactRequests(Vertx vertx, Jobs jobs, Duration every, GatewayConnectionMeters meters) {
    this.vertx = vertx;
    this.jobs = jobs;
    this.every = every;
    this.meters = meters;
  }

  /** The state was sent to this gateway. */
  void begin(Consumer<ConnectRequest> to) {
    end();
    stream = to;
    lastNanos = System.nanoTime() - every.toNanos();
    ask();
  }

  void end() {
    stream = null;
    vertx.cancelTimer(timer);
    timer = NONE;
  }

  /** A job changed: one that is guessed may have come. */
  void prompt() {
    if (stream != null && timer == NONE && !jobs.guessed().isEmpty()) {
      Duration until = Duration.ofNanos(lastNanos + every.toNanos() - System.nanoTime());
      arm(until.compareTo(GATHERING) > 0 ? until : GATHERING);
    }
  }

  private void arm(Duration pause) {
    timer = vertx.setTimer(Math.max(1, pause.toMillis()), _ -> ask());
  }

  private void ask() {
    timer = NONE;
    Consumer<ConnectRequest> to = stream;
    List<JobId> guessed = next();
    if (to != null && !guessed.isEmpty()) {
      meters.factsAsked.increment();
      to.accept(EventMessages.jobsQuestion(guessed));
      lastNanos = System.nanoTime();
      arm(every);
    }
  }

  /** If there are too many for one question, those that were not in the last one. */
  private List<JobId> next() {
    var all = new TreeSet<>(jobs.guessed());
    JobId after = last;
    if (after == null || all.size() <= MOST_JOBS) {
      after = new JobId(1);
    }
    List<JobId> chosen =
        Stream.concat(all.tailSet(after, false).stream(), all.headSet(after, true).stream())
            .limit(MOST_JOBS)
            .toList();
    last = chosen.isEmpty() ? null : chosen.getLast();
    return chosen;
  }
}
