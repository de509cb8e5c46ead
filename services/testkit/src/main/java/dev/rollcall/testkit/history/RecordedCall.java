package dev.rollcall.testkit.history;

/**
 * One operation as its thread saw it.
 *
 * @param number counts the thread's operations from 0; with the thread it tells calls apart
 * @param begun nanoseconds of the JVM's clock, before the operation
 * @param ended after it
 */
public record RecordedCall<O, A>(
    int thread, int number, O operation, A answer, long begun, long ended) {
  /** Whether this was over before the other began. What meets at one nanosecond is concurrent. */
  boolean isBefore(RecordedCall<?, ?> other) {
    return ended < other.begun;
  }

  /** The same with another answer, one that was not known before the round was over. */
  public <B> RecordedCall<O, B> answered(B other) {
    return new RecordedCall<>(thread, number, operation, other, begun, ended);
  }
}
