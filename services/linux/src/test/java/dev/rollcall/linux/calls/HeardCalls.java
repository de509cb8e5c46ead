package dev.rollcall.linux.calls;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.rollcall.model.Connection;
import dev.rollcall.model.SeenCall;
import dev.rollcall.port.CallSource;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A listener that remembers. */
class HeardCalls implements CallSource.Listener {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  final BlockingQueue<SeenCall> calls = new LinkedBlockingQueue<>();
  final AtomicLong lost = new AtomicLong();
  final BlockingQueue<Connection> withdrawn = new LinkedBlockingQueue<>();
  final BlockingQueue<Long> arrivals = new LinkedBlockingQueue<>();
  private final BlockingQueue<Long> losses = new LinkedBlockingQueue<>();

  @Override
  public void called(SeenCall call) {
    calls.add(call);
  }

  @Override
  public void lost(long count) {
    lost.addAndGet(count);
    losses.add(count);
  }

  @Override
  public void withdrawn(Connection connection) {
    withdrawn.add(connection);
  }

  @Override
  public void arrived() {
    arrivals.add(System.nanoTime());
  }

  /** When it was told, by System.nanoTime(). */
  long nextArrival() throws InterruptedException {
    Long next = arrivals.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertNotNull(next, "no arrival was told");
    return next;
  }

  Connection nextWithdrawn() throws InterruptedException {
    Connection next = withdrawn.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertNotNull(next, () -> "nothing was withdrawn, lost " + lost);
    return next;
  }

  SeenCall next() throws InterruptedException {
    SeenCall call = calls.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertNotNull(call, () -> "no call was told, lost " + lost);
    return call;
  }

  /** Waits until so many were told to be lost. */
  void awaitLost(long count) throws InterruptedException {
    while (lost.get() < count) {
      assertNotNull(
          losses.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS), "only " + lost + " told lost");
    }
  }
}
