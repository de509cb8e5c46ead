package dev.rollcall.agent.serve;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;

/** Caps the calls that a user has under way, so that nobody keeps the agent from the others. */
final class UidCap implements ServerInterceptor {
  private final Map<Integer, Integer> underWay = new HashMap<>();
  private final int most;
  private final int mostOfRoot;
  private final Counter refused;

  UidCap(int most, int mostOfRoot, MeterRegistry registry) {
    this.most = most;
    this.mostOfRoot = mostOfRoot;
    this.refused = registry.counter("rollcall.serve.refused", "reason", "too-many-calls");
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    Asker asker = Asker.current();
    if (!enter(asker)) {
      refused.increment();
      call.close(
          Status.RESOURCE_EXHAUSTED.withDescription(
              "uid "
                  + Integer.toUnsignedString(asker.uid())
                  + " has "
                  + most
                  + " calls under way already"),
          new Metadata());
      return new ServerCall.Listener<>() {};
    }
    return new Counted<>(next.startCall(call, headers), asker.uid());
  }

  private synchronized boolean enter(Asker asker) {
    int now = underWay.getOrDefault(asker.uid(), 0);
    boolean room = now < (asker.root() ? mostOfRoot : most);
    if (room) {
      underWay.put(asker.uid(), now + 1);
    }
    return room;
  }

  private synchronized void leave(int uid) {
    underWay.computeIfPresent(uid, (_, now) -> now == 1 ? null : now - 1);
  }

  /** A call ends by completion or by cancellation, and may hear of both. */
  private final class Counted<Q> extends SimpleForwardingServerCallListener<Q> {
    private final int uid;
    private boolean left;

    Counted(ServerCall.Listener<Q> listener, int uid) {
      super(listener);
      this.uid = uid;
    }

    @Override
    public void onComplete() {
      leaveOnce();
      super.onComplete();
    }

    @Override
    public void onCancel() {
      leaveOnce();
      super.onCancel();
    }

    private synchronized void leaveOnce() {
      if (!left) {
        left = true;
        leave(uid);
      }
    }
  }
}
