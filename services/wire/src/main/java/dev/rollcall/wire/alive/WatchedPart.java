package dev.rollcall.wire.alive;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * A part of this process that has to answer: an event loop, or the cluster of gateways.
 *
 * @param name for people, as "event loop users-1"
 * @param state how to see, without waking it, what it does
 * @param where runs a task on it; the task's end is its answer
 * @param seconds after which without an answer the process ends
 * @param stack what it does now, for the log; may be empty
 */
public record WatchedPart(
    String name,
    Supplier<State> state,
    Executor where,
    int seconds,
    Supplier<StackTraceElement[]> stack) {
  private static final int LOOP_SECONDS = 30;

  /** What a part does, seen from outside. */
  public enum State {
    /** It runs the code that asks. */
    ASKS,
    /** It waits for work, and would do it. */
    WAITS,
    /** It does something, and has to be asked. */
    WORKS
  }

  /** The event loops of a Vert.x, and those that accept its connections. */
  public static List<WatchedPart> loopsOf(Vertx vertx, String name) {
    var internal = (VertxInternal) vertx;
    var loops = new ArrayList<EventExecutor>();
    internal.nettyEventLoopGroup().forEach(loops::add);
    internal.acceptorEventLoopGroup().forEach(loops::add);
    var asked = new ArrayList<WatchedPart>();
    for (EventExecutor loop : loops) {
      asked.add(of("event loop " + name + "-" + asked.size(), (SingleThreadEventExecutor) loop));
    }
    return asked;
  }

  private static WatchedPart of(String name, SingleThreadEventExecutor loop) {
    Supplier<StackTraceElement[]> stack = () -> loop.threadProperties().stackTrace();
    return new WatchedPart(
        name,
        () -> loop.inEventLoop() ? State.ASKS : waits(stack.get()) ? State.WAITS : State.WORKS,
        loop,
        LOOP_SECONDS,
        stack);
  }

  /** In epoll_wait(2), which any work ends. */
  private static boolean waits(StackTraceElement[] stack) {
    return stack.length > 0
        && stack[0].getMethodName().startsWith("epollWait")
        && stack[0].getClassName().startsWith("io.netty.channel.epoll.");
  }
}
