package dev.rollcall.agent.serve;

import dev.rollcall.wire.Refusal;
import io.grpc.Context;
import io.grpc.Status;
import java.util.function.Supplier;

/**
 * Gives up an order whose caller has gone, by cancellation or by its deadline, before the order
 * began: whoever gave it has been told nothing and may have planned anew.
 */
final class StillWanted {
  private StillWanted() {}

  /**
   * Within the service's method.
   *
   * @return does the work, on any thread; CANCELLED if nobody waits for it any more
   */
  static <R> Supplier<R> orGivenUp(Supplier<R> work) {
    Context call = Context.current();
    return () -> {
      if (call.isCancelled()) {
        throw Refusal.plain(
            Status.CANCELLED, "the client had disconnected before the order was carried out");
      }
      return work.get();
    };
  }
}
