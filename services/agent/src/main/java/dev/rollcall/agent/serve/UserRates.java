package dev.rollcall.agent.serve;

import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.pace.Buckets;
import dev.rollcall.wire.pace.Rate;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;

/**
 * Limits the rate of each user's requests. Root's has no end. Subordinate uids count for their
 * owner.
 */
final class UserRates {
  /** Requests that are passed to the gateway, which all nodes share. */
  static final int A_SECOND = 10;

  static final int AT_ONCE = 100;
  private static final int MOST_USERS = 10_000;

  private final Buckets<Integer> users;
  private final IntUnaryOperator owner;
  private final LongSupplier nanoClock;

  /**
   * @param owner from a uid to the user for whom it counts
   */
  UserRates(Rate rate, IntUnaryOperator owner, LongSupplier nanoClock) {
    this.users = new Buckets<>(rate, MOST_USERS);
    this.owner = owner;
    this.nanoClock = nanoClock;
  }

  static UserRates toTheGateway(IntUnaryOperator owner, LongSupplier nanoClock) {
    return new UserRates(new Rate(A_SECOND, AT_ONCE), owner, nanoClock);
  }

  /** Whether one more may go; it counts if so. */
  boolean allows(SocketUser asker) {
    long now = nanoClock.getAsLong();
    return asker.root() || users.of(owner.applyAsInt(asker.uid()), now).take(now);
  }

  static StatusRuntimeException tooFast(SocketUser asker) {
    return Refusal.plain(
        Status.RESOURCE_EXHAUSTED,
        "uid %s asks the gateway more than %d times a second"
            .formatted(Integer.toUnsignedString(asker.uid()), A_SECOND));
  }
}
