package dev.rollcall.jobs.container;

import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

/** Lets entries be removed one after the other, or holds the thread up. */
final class Gate implements BooleanSupplier {
  private int passes = Integer.MAX_VALUE;
  private final CountDownLatch waiting = new CountDownLatch(1);

  synchronized void shut() {
    passes = 0;
  }

  synchronized void shutAfter(int entries) {
    passes = entries;
  }

  synchronized void open() {
    passes = Integer.MAX_VALUE;
    notifyAll();
  }

  void awaitShut() {
    try {
      waiting.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public synchronized boolean getAsBoolean() {
    try {
      while (passes == 0) {
        waiting.countDown();
        wait();
      }
    } catch (InterruptedException e) {
      return false;
    }
    passes--;
    return true;
  }
}
