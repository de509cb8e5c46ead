package dev.rollcall.load.attack;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks the target every 100 ms on a new connection. Its longest delay is the time from a question
 * to the next answer, without the time in which its thread and one of the target waited for a
 * processor.
 */
final class HonestClient implements AutoCloseable {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final AttackTarget target;
  private final ProcessorWaits waits;
  private final Thread thread = Thread.ofPlatform().name("honest").daemon().unstarted(this::run);
  private volatile long asked = System.nanoTime();
  private volatile long longest;
  private volatile String refusal = "";
  private volatile boolean closed;

  HonestClient(AttackTarget target) {
    this.target = target;
    this.waits = new ProcessorWaits(target.pid());
    thread.start();
  }

  private void run() {
    while (!closed) {
      asked = System.nanoTime();
      waits.begin();
      while (!closed && !isAnswered()) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private boolean isAnswered() {
    try {
      target.ask();
      longest = Math.max(longest, now());
      return true;
    } catch (IOException e) {
      refusal = e.toString();
      return false;
    }
  }

  private long now() {
    return System.nanoTime() - asked - waits.since();
  }

  /** In milliseconds; it includes the question that is not answered yet. */
  long longestMillis() {
    return TimeUnit.NANOSECONDS.toMillis(Math.max(longest, thread.isAlive() ? now() : 0));
  }

  /** The last failure of a question, or nothing. */
  String refusal() {
    return refusal;
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
