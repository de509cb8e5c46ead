package dev.rollcall.wire.grpc;

import static java.util.Objects.requireNonNull;

import io.grpc.Context;
import java.util.concurrent.Executor;

/** Gives a service the facts about its current call, besides its {@link Peer}. */
public final class CallContext {
  static final Context.Key<Executor> EXECUTOR = Context.key("rollcall-call-executor");

  private CallContext() {}

  /**
   * Runs tasks one at a time, in order, where the current call's stream may be asked whether it is
   * ready. (Sending and ending are safe from any one thread at a time.)
   */
  public static Executor executor() {
    return executor(Context.current());
  }

  /**
   * The same for the call of this context, also after its service's method has returned.
   *
   * @param call what {@link Context#current()} was within that method
   */
  public static Executor executor(Context call) {
    return requireNonNull(EXECUTOR.get(call), "no call is being served here");
  }
}
