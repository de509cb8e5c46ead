package dev.rollcall.linux.calls;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.rollcall.model.SeenCall;
import dev.rollcall.port.CallSource;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A listener that remembers. */
final class HeardCalls implements CallSource.Listener {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  final BlockingQueue<SeenCall> calls = new LinkedBlockingQueue<>();
  final AtomicLong lost = new AtomicLong();
  final BlockingQueue<Integer> struck = new LinkedBlockingQueue<>();
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
  public void lostOf(int uid) {
    struck.add(uid);
  }

  /** The uid of which it is said next that its calls were lost. */
  int nextStruck() throws InterruptedException {
    Integer uid = struck.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertNotNull(uid, () -> "of nobody it was said that their calls were lost, but " + lost);
    return uid;
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
