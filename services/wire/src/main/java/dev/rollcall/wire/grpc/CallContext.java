package dev.rollcall.wire.grpc;

import static java.util.Objects.requireNonNull;

import io.grpc.Context;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Gives a service the facts about its current call, besides its {@link Peer}. */
public final class CallContext {
  static final Context.Key<Executor> EXECUTOR = Context.key("rollcall-call-executor");

  static final Context.Key<Consumer<LongConsumer>> REQUEST_BYTES =
      Context.key("rollcall-call-request-bytes");

  private CallContext() {}

  /**
   * Tells the bytes of the current call's requests as they are read, before the service gets them,
   * to this and to nobody else.
   */
  public static void countBytes(LongConsumer counter) {
    requireNonNull(REQUEST_BYTES.get(), "no call is being served here").accept(counter);
  }

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
