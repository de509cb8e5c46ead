package dev.rollcall.agent.serve;

import dev.rollcall.model.JobId;
import dev.rollcall.wire.Refusal;
import io.grpc.Status;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Carries out orders that wait long, each on a thread of its own: no order waits behind one for
 * another job, and none behind a virtual thread that hangs in a system call, which would hold one
 * of the few threads that carry all of them. Thread-safe.
 */
final class LongOrders {
  /** Of one job: the first is at work, others wait for it. */
  static final int MOST_OF_A_JOB = 8;

  private final ConcurrentHashMap<JobId, Integer> underWay = new ConcurrentHashMap<>();

  /**
   * Begins an order.
   *
   * @throws io.grpc.StatusRuntimeException RESOURCE_EXHAUSTED while too many are under way for it
   */
  <R> Future<R> run(JobId job, Supplier<R> order) {
    if (underWay.merge(job, 1, Integer::sum) > MOST_OF_A_JOB) {
      over(job);
      throw Refusal.plain(
          Status.RESOURCE_EXHAUSTED, "job " + job + ": " + MOST_OF_A_JOB + " orders wait already");
    }
    Promise<R> answer = Promise.promise();
    Thread.ofPlatform()
        .daemon()
        .name("rollcall-order-" + job)
        .start(() -> carryOut(job, order, answer));
    return answer.future();
  }

  private <R> void carryOut(JobId job, Supplier<R> order, Promise<R> answer) {
    try {
      R result = order.get();
      over(job);
      answer.complete(result);
    } catch (RuntimeException e) {
      over(job);
      answer.fail(e);
    }
  }

  private void over(JobId job) {
    underWay.computeIfPresent(job, (_, count) -> count == 1 ? null : count - 1);
  }
}
