package dev.rollcall.wire.log;

import static java.lang.System.Logger.Level.ERROR;

import java.util.function.IntConsumer;

/**
 * Ends the process when one of its own threads dies, because nothing else would do that thread's
 * work or report its death. The supervisor of the process starts it again. A virtual thread is one
 * task of many: it is logged alone.
 */
public final class DeadThread implements Thread.UncaughtExceptionHandler {
  public static final int STATUS = ProcessEnd.DEAD_THREAD.status();

  private static final System.Logger LOG = System.getLogger(DeadThread.class.getName());

  private final IntConsumer end;

  DeadThread(IntConsumer end) {
    this.end = end;
  }

  /**
   * Has this process end so from now on, at once: what stops it in good order may need the dead.
   */
  public static void begin() {
    Thread.setDefaultUncaughtExceptionHandler(new DeadThread(Runtime.getRuntime()::halt));
  }

  @Override
  public void uncaughtException(Thread thread, Throwable cause) {
    try {
      String what = "thread " + thread.getName() + " died: " + cause;
      LOG.log(ERROR, thread.isVirtual() ? what : what + "; this process ends", cause);
    } finally {
      if (!thread.isVirtual()) {
        end.accept(STATUS);
      }
    }
  }
}
