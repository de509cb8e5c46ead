package dev.rollcall.wire.trace;

import dev.rollcall.wire.tls.TlsIdentity;
import dev.rollcall.wire.trace.Collector.Answer;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sends spans to a collector shortly after their end. Nobody waits for that: what waits itself is
 * bounded, and what is left out is counted. A collector that was away gets what waits.
 */
public final class SpanSender {
  /**
   * The collector of the spans, and the process that sends them.
   *
   * @param tls the process's own; absent: plaintext
   * @param process the attributes of what sends: its name, its version, its host
   */
  public record Way(String host, int port, Optional<TlsIdentity> tls, Map<String, String> process) {
    public Way {
      process = Map.copyOf(process);
    }
  }

  /** Counts the spans that were sent, and those that were dropped. */
  public record Counts(Counter sent, Counter dropped) {}

  static final int MOST_WAITING = 2_048;
  static final Duration PAUSE = Duration.ofSeconds(5);

  private static final System.Logger LOG = System.getLogger(SpanSender.class.getName());
  private static final int MOST_AT_ONCE = 512;
  private static final Duration LINGER = Duration.ofSeconds(1);
  private static final Duration AT_THE_END = Duration.ofSeconds(1);

  private final Vertx vertx;
  private final Context context;
  private final Collector collector;
  private final Map<String, String> process;
  private final Counts counts;
  private final Duration pause;
  private final BlockingQueue<EndedSpan> waiting = new ArrayBlockingQueue<>(MOST_WAITING);

  /** Whether what waits will be looked at. */
  private final AtomicBoolean awake = new AtomicBoolean();

  /** Taken from the queue and not arrived yet. On the context alone, as is what follows. */
  private List<EndedSpan> batch = List.of();

  private Future<Void> underWay = Future.succeededFuture();
  private long timer = -1;
  private boolean away;
  private boolean closed;

  public SpanSender(Vertx vertx, Way way, Counts counts) {
    this(vertx, way, counts, PAUSE);
  }

  /**
   * @param pause before a collector that is away is asked again
   */
  SpanSender(Vertx vertx, Way way, Counts counts, Duration pause) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.collector = new Collector(vertx, way.host(), way.port(), way.tls());
    this.process = way.process();
    this.counts = counts;
    this.pause = pause;
  }

  /**
   * What begins the spans.
   *
   * @param personal whether they may tell of users
   */
  public Tracer tracer(boolean personal) {
    return Tracer.to(personal, this::take);
  }

  private void take(EndedSpan span) {
    if (!waiting.offer(span)) {
      counts.dropped().increment();
    } else if (awake.compareAndSet(false, true)) {
      context.runOnContext(_ -> sendIn(LINGER));
    }
  }

  private void sendIn(Duration delay) {
    if (!closed) {
      timer = vertx.setTimer(delay.toMillis(), _ -> underWay = send());
    }
  }

  /** One batch after the other, until nothing waits or nobody takes it. */
  private Future<Void> send() {
    if (batch.isEmpty()) {
      batch = new ArrayList<>();
      waiting.drainTo(batch, MOST_AT_ONCE);
    }
    if (batch.isEmpty()) {
      awake.set(false);
      if (!waiting.isEmpty() && awake.compareAndSet(false, true)) {
        sendIn(LINGER); // it came between the look and the word that nobody looks
      }
      return Future.succeededFuture();
    }
    return collector
        .take(Otlp.request(process, batch))
        .compose(answer -> {
          switch (answer) {
            case Answer.Taken(long rejected) -> over(batch.size() - rejected, rejected, "");
            case Answer.Refused(String why) -> over(0, batch.size(), why);
            case Answer.Away(String why) -> {
              tell(why);
              sendIn(pause);
              return Future.succeededFuture();
            }
          }
          return send();
        });
  }

  private void over(long sent, long dropped, String why) {
    counts.sent().increment((double) sent);
    counts.dropped().increment((double) dropped);
    batch = List.of();
    tell(why);
  }

  /** Once for each time that it goes wrong. */
  private void tell(String why) {
    if (away == why.isEmpty()) {
      away = !away;
      LOG.log(
          away ? Level.WARNING : Level.INFO,
          away ? "traces do not reach {0}: {1}" : "traces reach {0} again",
          collector,
          why);
    }
  }

  /** Sends what waits, if that takes no longer than a second. */
  public Future<Void> close() {
    return Future.<Void>future(done ->
            context.runOnContext(_ -> {
              closed = true;
              vertx.cancelTimer(timer);
              underWay.compose(_ -> send()).onComplete(done);
            }))
        .timeout(AT_THE_END.toMillis(), TimeUnit.MILLISECONDS)
        .transform(_ -> {
          counts.dropped().increment(batch.size() + waiting.size());
          return collector.close();
        });
  }
}
