package dev.rollcall.agent.serve;

import dev.rollcall.wire.Refusal;
import io.grpc.Context;
import io.grpc.Status;
import java.util.function.Supplier;

/**
 * Drops an order whose client cancelled it, or whose deadline passed, before the order began: the
 * client got no reply and may have sent another order.
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
