package dev.rollcall.load.attack;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Does something as another user, on a thread of its own: the system call, and not the function of
 * the C library, changes the effective user of the calling thread only. The kernel has the user who
 * connects a unix socket as its peer.
 */
@SuppressWarnings("restricted") // a system call that the product does not use
final class ThreadUser {
  private static final long SETRESUID = System.getProperty("os.arch").equals("aarch64") ? 147 : 117;
  private static final MethodHandle SYSCALL =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("syscall"),
              FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
              Linker.Option.firstVariadicArg(1));

  private ThreadUser() {}

  static <T> T as(int uid, Callable<T> action) throws IOException {
    var task =
        new FutureTask<T>(() -> {
          become(uid);
          return action.call();
        });
    Thread.ofPlatform().daemon().name("user-" + uid).start(task);
    try {
      return task.get();
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static void become(int uid) throws IOException {
    try {
      if ((long) SYSCALL.invokeExact(SETRESUID, -1L, (long) uid, -1L) != 0) {
        throw new IOException("this process cannot become uid " + uid + ": run it as root");
      }
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
