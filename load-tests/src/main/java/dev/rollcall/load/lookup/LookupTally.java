package dev.rollcall.load.lookup;

import dev.rollcall.proto.v1.CallerAnswer;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Counts answers; every stream's thread writes to it. Times are nanoseconds. */
final class LookupTally {
  private static final int DIGITS = 3;

  final LongAdder found = new LongAdder();
  final LongAdder unknown = new LongAdder();
  final LongAdder unreachable = new LongAdder();

  /** Answers without an answer in them, and answers to nothing that was asked. */
  final LongAdder malformed = new LongAdder();

  /** From the moment a question was due until its answer came. */
  final Histogram latency = new ConcurrentHistogram(DIGITS);

  /** From the moment a question was due until it was sent: the load's own lag. */
  final Histogram lag = new ConcurrentHistogram(DIGITS);

  void count(CallerAnswer answer) {
    LongAdder kind =
        switch (answer.getAnswerCase()) {
          case FOUND -> found;
          case UNKNOWN -> unknown;
          case UNREACHABLE -> unreachable;
          case ANSWER_NOT_SET -> malformed;
        };
    kind.increment();
  }

  long answered() {
    return found.sum() + unknown.sum() + unreachable.sum();
  }
}
