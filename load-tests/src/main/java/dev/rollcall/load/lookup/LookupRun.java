package dev.rollcall.load.lookup;

import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.wire.grpc.GrpcChannel;
import dev.rollcall.wire.grpc.KeepAlive;
import dev.rollcall.wire.grpc.VertxSettings;
import dev.rollcall.wire.tls.TlsFiles;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks by a schedule: question n is due n / rate seconds after the start, whatever was answered.
 * The schedule is arithmetic, so an answer's id tells when its question was due.
 */
final class LookupRun implements AutoCloseable {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long GREETED_WITHIN_SECONDS = 30;
  private static final long LONGEST_PAUSE_NANOS = 1_000_000;

  /** More than this is not sent ahead of the answers: the load's memory, not the schedule's. */
  private static final long MOST_IN_FLIGHT = 1 << 17;

  /** Without a schedule: as many as a gateway takes of a stream before it has answered some. */
  private static final int IN_FLIGHT_OF_STREAM = 256;

  /** Calls of one client that a gateway takes at once, less what is on its way. */
  private static final int IN_FLIGHT_EACH = 400;

  private static final long SHORT_PAUSE_NANOS = 50_000;

  private final LoadOptions options;
  private final LookupTally tally = new LookupTally();
  private final Vertx vertx = VertxSettings.start(VertxSettings.busy());
  private final List<LookupConnection> streams = new ArrayList<>();
  private final long total;
  private volatile long start;
  private volatile long asked;

  private LookupRun(LoadOptions options) {
    this.options = options;
    this.total = options.rate() == 0 ? Long.MAX_VALUE : (long) options.rate() * options.seconds();
  }

  /** Opens every stream and waits until each has answered once. */
  static LookupRun connect(LoadOptions options) throws LoadFailedException {
    var run = new LookupRun(options);
    try {
      for (int i = 0; i < options.streams(); i++) {
        var channel =
            GrpcChannel.tcp(
                run.vertx,
                options.host(),
                options.port(),
                options.tls().map(TlsFiles::identity),
                KeepAlive.CALM);
        var stream = LookupConnection.of(options.kind(), channel, run.tally, run::answered);
        run.streams.add(stream);
        stream.ask(LookupConnection.GREETING, run.connection(0));
      }
      await(allOf(run.streams.stream().map(LookupConnection::greeted).toList()));
      return run;
    } catch (LoadFailedException e) {
      run.close();
      throw e;
    }
  }

  LoadReport run() {
    start = System.nanoTime();
    long end = start + TimeUnit.SECONDS.toNanos(options.seconds());
    if (options.rate() == 0) {
      askAsAnswersCome(end);
    } else {
      for (long n = 1; n <= total && anyOpen() && awaitDue(n, end); n++) {
        ask(n);
      }
    }
    long patience = System.nanoTime() + PATIENCE_NANOS;
    while (tally.answered() < asked && anyOpen() && System.nanoTime() < patience) {
      LockSupport.parkNanos(LONGEST_PAUSE_NANOS);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    var failures = failures();
    streams.forEach(LookupConnection::finish);
    return new LoadReport(options, asked, seconds, tally, failures);
  }

  @Override
  public void close() {
    // What still ends when its event loop has gone is a complaint in the log for each connection.
    await(Future.join(streams.stream().map(LookupConnection::close).toList()));
    await(vertx.close());
  }

  private static void await(Future<?> end) {
    var _ = end.toCompletionStage().toCompletableFuture().exceptionally(_ -> null).join();
  }

  private void askAsAnswersCome(long end) {
    int most = Math.min(inFlight(), streams.size() * IN_FLIGHT_OF_STREAM);
    for (long n = 1; anyOpen() && System.nanoTime() - end < 0; ) {
      if (n - 1 - tally.answered() < most) {
        streams.get((int) (n % streams.size())).ask(n, connection(n));
        asked = n++;
      } else {
        LockSupport.parkNanos(SHORT_PAUSE_NANOS);
      }
    }
  }

  private int inFlight() {
    return switch (options.kind()) {
      case MANY -> (int) MOST_IN_FLIGHT;
      case EACH -> IN_FLIGHT_EACH;
    };
  }

  private void ask(long n) {
    streams.get((int) (n % streams.size())).ask(n, connection(n));
    asked = n;
    if (isRecorded(n)) {
      tally.lag.recordValue(Math.max(0, System.nanoTime() - due(n)));
    }
  }

  /** False when the load has fallen so far behind that its time is over. */
  private boolean awaitDue(long n, long end) {
    long left = due(n) - System.nanoTime();
    while (left > 0 || n - tally.answered() > inFlight()) {
      LockSupport.parkNanos(Math.clamp(left, 1, LONGEST_PAUSE_NANOS));
      left = due(n) - System.nanoTime();
      if (-left > PATIENCE_NANOS && System.nanoTime() > end) {
        return false;
      }
    }
    return true;
  }

  private void answered(long n) {
    if (n < 0 || n > total) {
      tally.malformed.increment();
    } else if (isRecorded(n)) {
      tally.latency.recordValue(Math.max(0, System.nanoTime() - due(n)));
    }
  }

  private boolean isRecorded(long n) {
    return options.rate() > 0 && n > (long) options.warmUp() * options.rate();
  }

  private long due(long n) {
    return start + n * 1_000_000_000L / options.rate();
  }

  private Connection connection(long n) {
    var source =
        new Endpoint(options.source(), LoadOptions.FIRST_PORT + (int) (n % options.ports()));
    return Connection.tcp(source, options.destination());
  }

  private boolean anyOpen() {
    return streams.stream().anyMatch(stream -> !stream.ended().isDone());
  }

  private List<String> failures() {
    return streams.stream()
        .map(LookupConnection::ended)
        .filter(CompletableFuture::isCompletedExceptionally)
        .map(ended -> String.valueOf(ended.exceptionNow().getMessage()))
        .distinct()
        .toList();
  }

  private static CompletableFuture<Void> allOf(List<CompletableFuture<Void>> greetings) {
    return CompletableFuture.allOf(greetings.toArray(CompletableFuture[]::new));
  }

  private static void await(CompletableFuture<Void> greetings) throws LoadFailedException {
    try {
      greetings.get(GREETED_WITHIN_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new LoadFailedException(
          "no stream: " + (e.getCause() == null ? e : e.getCause()).getMessage());
    } catch (TimeoutException _) {
      throw new LoadFailedException(
          "the gateway did not answer within " + GREETED_WITHIN_SECONDS + " s");
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new LoadFailedException("interrupted");
    }
  }
}
