package dev.rollcall.linux.mount;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.Syscall;
import dev.rollcall.model.NamespaceType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs one task inside another namespace, on a platform thread that then ends, because setns(2)
 * lasts for the thread's life.
 *
 * <p>A thread is born in the namespaces of the thread that starts it. To wake a waiting virtual
 * thread may start a carrier, which would then be in the other namespace for good, with all that
 * ever runs on it. So the thread goes back before it tells anybody, and what is done there starts
 * no thread and no process.
 */
public final class NamespaceThread {
  /** What is done there. */
  @FunctionalInterface
  public interface Work<T> {
    T run() throws IOException;
  }

  private static final System.Logger LOG = System.getLogger(NamespaceThread.class.getName());
  private static final int CLONE_FS = 0x200;
  private static final long LOOK_MS = 50;

  private static final long NS_GET_NSTYPE = 0xb703;

  private NamespaceThread() {}

  /**
   * The type of a namespace by its file: ioctl_ns(2), Linux 4.11. Empty: it is no namespace, or of
   * a type that is not listed.
   */
  public static Optional<NamespaceType> typeOf(Descriptor file) {
    long type = Syscall.IOCTL.call(file.number(), NS_GET_NSTYPE, 0);
    return Arrays.stream(NamespaceType.values()).filter(each -> each.flag() == type).findFirst();
  }

  /**
   * Enters the namespace, works and waits for the end of it.
   *
   * @param namespace an open descriptor of a file of {@code /proc/PID/ns}
   */
  public static <T> T run(NamespaceType kind, int namespace, Work<T> work) throws IOException {
    return alone(
        kind,
        () -> {
          enter(kind, namespace);
          return work.run();
        });
  }

  /**
   * Works on a thread of its own and waits for that.
   *
   * @param kind what the work changes; the thread goes back to its own
   */
  static <T> T alone(NamespaceType kind, Work<T> work) throws IOException {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .name("rollcall-namespace")
            .daemon()
            .start(() -> {
              try (Descriptor own = Descriptor.open(own(kind))) {
                Runnable telling = done(work, result);
                Syscall.SETNS.check("back", Syscall.SETNS.call(own.number(), kind.flag(), 0));
                telling.run();
              } catch (IOException e) {
                // Nobody may be told from where it is now: who waits will see that it ended.
                failure(e);
              }
            });
    return awaited(result, thread);
  }

  private static <T> Runnable done(Work<T> work, CompletableFuture<T> result) {
    try {
      T done = work.run();
      return () -> result.complete(done);
    } catch (IOException | RuntimeException | Error e) {
      return () -> result.completeExceptionally(e);
    }
  }

  private static void failure(IOException e) {
    LOG.log(
        System.Logger.Level.ERROR,
        "a thread does not return from another namespace: {0}",
        e.getMessage());
  }

  /** Not to be interrupted: what was begun is over when this returns. */
  private static <T> T awaited(CompletableFuture<T> result, Thread thread) throws IOException {
    boolean interrupted = false;
    try {
      while (!result.isDone()) {
        try {
          awaitMore(result, thread);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      return result.join();
    } catch (CompletionException e) {
      switch (e.getCause()) {
        case IOException cause -> throw cause;
        case RuntimeException cause -> throw cause;
        case null, default -> throw e;
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void awaitMore(CompletableFuture<?> result, Thread thread)
      throws IOException, InterruptedException {
    try {
      result.get(LOOK_MS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException slow) {
      if (!thread.isAlive() && !result.isDone()) {
        throw new IOException("a thread did not return from another namespace", slow);
      }
    } catch (ExecutionException done) {
      LOG.log(System.Logger.Level.TRACE, "work in another namespace failed", done);
    }
  }

  private static Path own(NamespaceType kind) {
    return Path.of("/proc/thread-self/ns", kind.word());
  }

  private static void enter(NamespaceType kind, int namespace) throws ErrnoException {
    if (kind == NamespaceType.MOUNT) {
      // A thread that shares its root and working directory may not change its mount namespace.
      Syscall.UNSHARE.check("CLONE_FS", Syscall.UNSHARE.call(CLONE_FS));
    }
    long result = Syscall.SETNS.call(namespace, kind.flag(), 0);
    Syscall.SETNS.check("fd " + namespace + ", " + kind, result);
  }
}
