package dev.rollcall.wire.grpc;

import io.vertx.core.Vertx;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** What is thrown where nobody waits for it: on threads, in Vert.x's contexts, into the log. */
public final class Unheard extends Handler {
  /** Held, as the log manager forgets loggers that nobody holds. */
  private static final Logger OURS = Logger.getLogger("dev.rollcall");

  private final Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();

  public Unheard(Vertx vertx) {
    vertx.exceptionHandler(thrown::add);
    Thread.setDefaultUncaughtExceptionHandler((_, e) -> thrown.add(e));
    OURS.setLevel(Level.WARNING);
    OURS.setUseParentHandlers(false);
    OURS.addHandler(this);
  }

  public void check() {
    Throwable first = thrown.poll();
    if (first != null) {
      throw new AssertionError("nobody heard of it", first);
    }
  }

  @Override
  public void publish(LogRecord line) {
    @Nullable Throwable cause = line.getThrown();
    if (cause != null) {
      thrown.add(cause);
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    OURS.removeHandler(this);
  }
}
