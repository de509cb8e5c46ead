package dev.rollcall.wire.memory;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.wire.log.ProcessEnd;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Measures the memory of this process whenever bytes of a peer come. Above {@link MemoryMarks} it
 * refuses peers, then closes their connections, and at last ends the process. It has a thread of
 * its own, which sleeps without a timer while little memory is in use.
 */
public final class MemoryGuard implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(MemoryGuard.class.getName());
  private static final long NANOS = 1_000_000_000L;
  private static final long BETWEEN_LOOKS = NANOS / 10;

  /** Once direct memory is filled to this part: in that time answers fill 5 MiB of it. */
  private static final long BETWEEN_QUICK_LOOKS = NANOS / 100;

  /** The event loops need some time to close connections, and to give back their buffers. */
  private static final long BETWEEN_CLOSINGS = NANOS / 10;

  private static final double QUICK = 0.4;

  /** Collections take at most this part of the time. */
  private static final int COLLECTIONS_PART = 10;

  /** Below this growth since the last collection, another one would show nothing new. */
  private static final double GROWTH = 1.0 / 16;

  private final MemoryBudget budget;
  private final PeerConnections connections;
  private final MemoryReader reader;
  private final LongSupplier nanoTime;
  private final Consumer<String> end;
  private final Thread thread;
  private volatile boolean closed;

  private volatile boolean awake;
  private volatile double heapCollected;
  private long collectAgain;
  private boolean isShort;
  private int round;
  private long closeAgain;
  private long fullSince;
  private boolean full;
  private long began;
  private final Map<String, Integer> closedOf = new TreeMap<>();

  MemoryGuard(
      MemoryBudget budget,
      MemoryReader reader,
      LongSupplier nanoTime,
      Consumer<String> end,
      MeterRegistry registry) {
    this.budget = budget;
    this.connections = budget.connections();
    this.reader = reader;
    this.nanoTime = nanoTime;
    this.end = end;
    this.collectAgain = nanoTime.getAsLong();
    this.closeAgain = collectAgain;
    this.thread = Thread.ofPlatform().daemon().name("rollcall-memory").unstarted(this::repeat);
    gauge("heap", reader, registry);
    gauge("direct", reader, registry);
  }

  /**
   * Starts to guard this process.
   *
   * @param registry gets {@code rollcall.memory.used.ratio} of heap and direct memory
   */
  public static MemoryGuard start(MemoryBudget budget, MeterRegistry registry) {
    return start(budget, new MemoryReader.OfJvm(), registry);
  }

  static MemoryGuard start(MemoryBudget budget, MemoryReader reader, MeterRegistry registry) {
    var guard =
        new MemoryGuard(budget, reader, System::nanoTime, ProcessEnd.OUT_OF_MEMORY::now, registry);
    budget.connections().whenActive(guard::received);
    guard.thread.start();
    return guard;
  }

  private static void gauge(String of, MemoryReader reader, MeterRegistry registry) {
    Gauge.builder(
            "rollcall.memory.used.ratio",
            reader,
            each -> of.equals("heap") ? each.now().heap() : each.now().direct())
        .tag("kind", of)
        .strongReference(true)
        .register(registry);
  }

  /** On the event loop of a connection of which bytes have come. */
  private void received() {
    if (!awake && isHigh(reader.now())) {
      awake = true;
      LockSupport.unpark(thread);
    }
  }

  private boolean isHigh(MemoryShares now) {
    return now.direct() >= QUICK || mayHaveGrown(now);
  }

  private boolean mayHaveGrown(MemoryShares now) {
    return now.heap() >= MemoryMarks.LOOK && now.heap() - heapCollected >= GROWTH;
  }

  private void repeat() {
    while (!closed) {
      while (!closed && (isShort || isHigh(reader.now()))) {
        look();
        boolean quick = reader.now().direct() >= QUICK;
        LockSupport.parkNanos(this, quick ? BETWEEN_QUICK_LOOKS : BETWEEN_LOOKS);
      }
      awake = false;
      while (!closed && !awake) {
        LockSupport.park(this);
      }
    }
  }

  /** Measures once, and does what the marks ask for. */
  void look() {
    MemoryShares now = reader.now();
    if (mayHaveGrown(now) || (isShort && now.heap() >= MemoryMarks.LOOK)) {
      long start = nanoTime.getAsLong();
      if (start - collectAgain < 0) {
        return;
      }
      now = reader.collected();
      long took = nanoTime.getAsLong() - start;
      collectAgain = start + took + took * (COLLECTIONS_PART - 1);
      heapCollected = now.heap();
    } else if (now.heap() >= MemoryMarks.LOOK) {
      now = new MemoryShares(heapCollected, now.direct());
    }
    act(now);
  }

  private void act(MemoryShares now) {
    MemoryMarks marks = MemoryMarks.at(now.most(), isShort);
    marks
        .refused()
        .ifPresentOrElse(
            most -> {
              if (!isShort) {
                begin(now);
              }
              connections.refuse(most, "this process is short of memory: try again later");
            },
            () -> calm(now));
    if (marks.closes() && nanoTime.getAsLong() - closeAgain >= 0) {
      closeAgain = nanoTime.getAsLong() + BETWEEN_CLOSINGS;
      closeLargest();
    }
    endIfFull(marks.ends(), now);
  }

  private void begin(MemoryShares now) {
    isShort = true;
    round = 0;
    began = nanoTime.getAsLong();
    LOG.log(WARNING, "memory is short: {0}. New connections and calls are refused", now);
  }

  private void calm(MemoryShares now) {
    if (!isShort) {
      return;
    }
    isShort = false;
    connections.admitAll();
    LOG.log(
        INFO,
        "memory is not short any more, after {0} s: {1}. Closed connections: {2}",
        (nanoTime.getAsLong() - began) / NANOS,
        now,
        closedOf.isEmpty()
            ? "none"
            : closedOf.entrySet().stream()
                .map(each -> each.getValue() + " of " + each.getKey())
                .collect(Collectors.joining(", ")));
    closedOf.clear();
  }

  /** Twice as many peers each time, as what one holds may not be what is counted. */
  private void closeLargest() {
    List<PeerConnection> chosen =
        LargestHolders.among(connections.open(), budget::heldBy, 1 << Math.min(round++, 20));
    for (PeerConnection each : chosen) {
      closedOf.merge(each.kind().word() + " " + each.account(), 1, Integer::sum);
      connections.close(each);
    }
  }

  private void endIfFull(boolean ends, MemoryShares now) {
    if (ends && full && nanoTime.getAsLong() - fullSince >= NANOS) {
      end.accept("memory is exhausted: " + now + " after connections were closed");
    }
    if (ends && !full) {
      fullSince = nanoTime.getAsLong();
    }
    full = ends;
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
