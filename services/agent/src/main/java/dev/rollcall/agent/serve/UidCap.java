package dev.rollcall.agent.serve;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * Caps the calls that a user has under way, so that nobody keeps the agent from the others.
 * Subordinate uids count for their owner.
 */
final class UidCap implements ServerInterceptor {
  private final Map<Integer, Integer> underWay = new HashMap<>();
  private final int most;
  private final int mostOfRoot;
  private final IntUnaryOperator owner;
  private final Counter refused;

  /**
   * @param owner from a uid to the user for whom it counts
   */
  UidCap(int most, int mostOfRoot, IntUnaryOperator owner, MeterRegistry registry) {
    this.owner = owner;
    this.most = most;
    this.mostOfRoot = mostOfRoot;
    this.refused = registry.counter("rollcall.serve.refused", "reason", "too-many-calls");
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    SocketUser asker = SocketUser.current();
    int user = owner.applyAsInt(asker.uid());
    if (!enter(asker, user)) {
      refused.increment();
      call.close(
          Status.RESOURCE_EXHAUSTED.withDescription(
              "uid "
                  + Integer.toUnsignedString(asker.uid())
                  + ", or its owner, has "
                  + most
                  + " calls under way already"),
          new Metadata());
      return new ServerCall.Listener<>() {};
    }
    // The context ends with the call, for whatever reason.
    Context.current().addListener(_ -> leave(user), Runnable::run);
    return next.startCall(call, headers);
  }

  private synchronized boolean enter(SocketUser asker, int user) {
    int now = underWay.getOrDefault(user, 0);
    boolean room = now < (asker.root() ? mostOfRoot : most);
    if (room) {
      underWay.put(user, now + 1);
    }
    return room;
  }

  private synchronized void leave(int user) {
    underWay.computeIfPresent(user, (_, now) -> now == 1 ? null : now - 1);
  }
}
