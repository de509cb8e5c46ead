package dev.rollcall.linux.process;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** Reads the C library's heap of this process, which includes that of the JVM and its compilers. */
public final class NativeHeap {
  private NativeHeap() {}

  /**
   * Gives back what is not in use, malloc_trim(3) of glibc. Of another C library nothing is asked.
   *
   * @return whether any memory went back to the kernel
   */
  @SuppressWarnings("restricted")
  public static boolean trim() {
    Linker linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find("malloc_trim")
        .map(
            function -> linker.downcallHandle(function, FunctionDescriptor.of(JAVA_INT, JAVA_LONG)))
        .map(NativeHeap::call)
        .orElse(false);
  }

  private static boolean call(MethodHandle trim) {
    try {
      return (int) trim.invokeExact(0L) != 0;
    } catch (Throwable e) {
      throw new IllegalStateException("malloc_trim(3) is not to be called: " + e, e);
    }
  }
}
