package dev.rollcall.testkit.history;

import java.util.Random;

/** A thing that several threads use for one round, fresh in each. */
public interface Subject<O, A> extends AutoCloseable {
  /** What the thread does next. Asked for before the round, on one thread. */
  O next(Random random, int thread);

  /** Does it, on the threads of the round. */
  A perform(O operation) throws Exception;

  /** Called when all is done, for answers that were not known before. */
  default History<O, A> settled(History<O, A> history) {
    return history;
  }

  @Override
  default void close() {}
}
