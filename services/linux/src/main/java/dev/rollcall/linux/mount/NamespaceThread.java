package dev.rollcall.linux.mount;

import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.Syscall;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Does one thing inside another namespace, on a platform thread that ends after it: setns(2) is for
 * the life of a thread, so no thread that anybody else uses may call it.
 */
public final class NamespaceThread {
  /** A kind of namespace, with its flag of clone(2). */
  public enum Kind {
    NETWORK(0x40000000),
    MOUNT(0x00020000);

    private final int flag;

    Kind(int flag) {
      this.flag = flag;
    }
  }

  /** What is done there. */
  @FunctionalInterface
  public interface Work<T> {
    T run() throws IOException;
  }

  private static final int CLONE_FS = 0x200;

  private NamespaceThread() {}

  /**
   * Enters the namespace, works and waits for the end of it.
   *
   * @param namespace an open descriptor of a file of {@code /proc/PID/ns}
   */
  public static <T> T run(Kind kind, int namespace, Work<T> work) throws IOException {
    return alone(() -> {
      enter(kind, namespace);
      return work.run();
    });
  }

  /** Works on a thread of its own, which ends with the work, and waits for that. */
  static <T> T alone(Work<T> work) throws IOException {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread.ofPlatform()
        .name("rollcall-namespace")
        .daemon()
        .start(() -> {
          try {
            result.complete(work.run());
          } catch (IOException | RuntimeException | Error e) {
            result.completeExceptionally(e);
          }
        });
    try {
      return result.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw e;
    }
  }

  private static void enter(Kind kind, int namespace) throws ErrnoException {
    if (kind == Kind.MOUNT) {
      // A thread that shares its root and working directory may not change its mount namespace.
      Syscall.UNSHARE.check("CLONE_FS", Syscall.UNSHARE.call(CLONE_FS));
    }
    long result = Syscall.SETNS.call(namespace, kind.flag, 0);
    Syscall.SETNS.check("fd " + namespace + ", " + kind, result);
  }
}
