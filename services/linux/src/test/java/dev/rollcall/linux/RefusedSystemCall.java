package dev.rollcall.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Runs code on a thread whose calls of bpf(2) the kernel refuses, by seccomp(2). */
public final class RefusedSystemCall {
  private static final int SECCOMP_X86 = 317;
  private static final int SECCOMP_AARCH64 = 277;
  private static final int BPF_X86 = 321;
  private static final int BPF_AARCH64 = 280;
  private static final long SECCOMP_SET_MODE_FILTER = 1;
  private static final int SECCOMP_RET_ERRNO = 0x0005_0000;
  private static final int SECCOMP_RET_ALLOW = 0x7fff_0000;

  // Of linux/bpf_common.h: BPF_LD | BPF_W | BPF_ABS, BPF_JMP | BPF_JEQ | BPF_K, BPF_RET | BPF_K.
  private static final short LOAD = 0x20;
  private static final short SKIP_UNLESS = 0x15;
  private static final short RETURN = 0x06;

  private RefusedSystemCall() {}

  /** May fail with anything. */
  public interface Body {
    void run() throws Exception;
  }

  /**
   * As root. The threads that the body starts have the same filter.
   *
   * @throws Exception of the body
   */
  public static void bpf(Errno refusal, Body body) throws Exception {
    var task =
        new FutureTask<>(() -> {
          install(Syscall.aarch64() ? BPF_AARCH64 : BPF_X86, refusal);
          body.run();
          return true;
        });
    Thread.ofPlatform().name("refused").start(task);
    try {
      task.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception exception) {
        throw exception;
      }
      throw new AssertionError(e.getCause());
    }
  }

  /** For the calling thread, for as long as it lives. */
  @SuppressWarnings("restricted")
  private static void install(int call, Errno refusal) {
    Linker linker = Linker.nativeLinker();
    var syscall =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("syscall"),
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
            Linker.Option.firstVariadicArg(1));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment filter = arena.allocate(4 * 8, 8);
      instruction(filter, 0, LOAD, 0, 0); // the number of the call is first in seccomp_data
      instruction(filter, 1, SKIP_UNLESS, 1, call);
      instruction(filter, 2, RETURN, 0, SECCOMP_RET_ERRNO | refusal.number());
      instruction(filter, 3, RETURN, 0, SECCOMP_RET_ALLOW);
      MemorySegment program = arena.allocate(16, 8);
      program.set(JAVA_SHORT, 0, (short) 4);
      program.set(JAVA_LONG, 8, filter.address());
      long number = Syscall.aarch64() ? SECCOMP_AARCH64 : SECCOMP_X86;
      long done =
          (long) syscall.invokeExact(number, SECCOMP_SET_MODE_FILTER, 0L, program.address());
      if (done != 0) {
        throw new AssertionError("seccomp(2) failed: not root?");
      }
    } catch (Throwable e) {
      throw new AssertionError("seccomp(2)", e);
    }
  }

  /** struct sock_filter: code, jt, jf, k. */
  private static void instruction(MemorySegment filter, int index, short code, int skip, int k) {
    filter.set(JAVA_SHORT, index * 8L, code);
    filter.set(JAVA_BYTE, index * 8L + 3, (byte) skip);
    filter.set(JAVA_INT, index * 8L + 4, k);
  }
}
