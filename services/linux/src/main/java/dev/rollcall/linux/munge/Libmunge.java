package dev.rollcall.linux.munge;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/** The functions of libmunge.so.2: munge(3), munge_ctx(3). */
final class Libmunge {
  static final String NAME = "libmunge.so.2";

  /** Kinds of munge_opt_t in munge.h, the same since version 0.5. */
  static final int TTL = 4;

  static final int SOCKET = 8;

  private static final Linker LINKER = Linker.nativeLinker();

  /** char*, whose length its end tells. */
  private static final AddressLayout TEXT = text();

  private static final FunctionDescriptor SET_NUMBER =
      FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
  private static final FunctionDescriptor SET_TEXT =
      FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS);

  private static final Optional<Libmunge> LOADED = load();

  private final MethodHandle encode;
  private final MethodHandle decode;
  private final MethodHandle create;
  private final MethodHandle destroy;
  private final MethodHandle setNumber;
  private final MethodHandle setText;
  private final MethodHandle contextError;
  private final MethodHandle error;
  private final MethodHandle free;

  private Libmunge(SymbolLookup library) {
    encode =
        bind(
            library,
            "munge_encode",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_INT));
    decode =
        bind(
            library,
            "munge_decode",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
    create = bind(library, "munge_ctx_create", FunctionDescriptor.of(ADDRESS));
    destroy = bind(library, "munge_ctx_destroy", FunctionDescriptor.ofVoid(ADDRESS));
    var variadic = Linker.Option.firstVariadicArg(2);
    setNumber = bind(library, "munge_ctx_set", SET_NUMBER, variadic);
    setText = bind(library, "munge_ctx_set", SET_TEXT, variadic);
    contextError = bind(library, "munge_ctx_strerror", FunctionDescriptor.of(TEXT, ADDRESS));
    error = bind(library, "munge_strerror", FunctionDescriptor.of(TEXT, JAVA_INT));
    free = bind(LINKER.defaultLookup(), "free", FunctionDescriptor.ofVoid(ADDRESS));
  }

  @SuppressWarnings("restricted")
  private static AddressLayout text() {
    return ADDRESS.withTargetLayout(MemoryLayout.sequenceLayout(Long.MAX_VALUE, JAVA_BYTE));
  }

  /** Absent where it is not installed. */
  static Optional<Libmunge> loaded() {
    return LOADED;
  }

  @SuppressWarnings("restricted")
  private static Optional<Libmunge> load() {
    try {
      return Optional.of(new Libmunge(SymbolLookup.libraryLookup(NAME, Arena.global())));
    } catch (IllegalArgumentException notThere) {
      return Optional.empty();
    }
  }

  @SuppressWarnings("restricted")
  private static MethodHandle bind(
      SymbolLookup library, String name, FunctionDescriptor type, Linker.Option... options) {
    return LINKER.downcallHandle(library.findOrThrow(name), type, options);
  }

  MemorySegment create() {
    return call(() -> (MemorySegment) create.invokeExact());
  }

  void destroy(MemorySegment context) {
    call(() -> {
      destroy.invokeExact(context);
      return true;
    });
  }

  int set(MemorySegment context, int option, int value) {
    return call(() -> (int) setNumber.invokeExact(context, option, value));
  }

  int set(MemorySegment context, int option, MemorySegment value) {
    return call(() -> (int) setText.invokeExact(context, option, value));
  }

  int encode(MemorySegment credential, MemorySegment context, MemorySegment payload, int length) {
    return call(() -> (int) encode.invokeExact(credential, context, payload, length));
  }

  /** The group of who made it is not asked for. */
  int decode(
      MemorySegment credential,
      MemorySegment context,
      MemorySegment payload,
      MemorySegment length,
      MemorySegment uid) {
    MemorySegment gid = MemorySegment.NULL;
    return call(() -> (int) decode.invokeExact(credential, context, payload, length, uid, gid));
  }

  void free(MemorySegment memory) {
    call(() -> {
      free.invokeExact(memory);
      return true;
    });
  }

  /** What the library says of the last failure in this context, else of the number. */
  String problem(MemorySegment context, int number) {
    MemorySegment said = call(() -> (MemorySegment) contextError.invokeExact(context));
    return said.address() == 0 ? problem(number) : said.getString(0);
  }

  String problem(int number) {
    return call(() -> (MemorySegment) error.invokeExact(number)).getString(0);
  }

  private interface Downcall<T> {
    T invoke() throws Throwable;
  }

  private static <T> T call(Downcall<T> downcall) {
    try {
      return downcall.invoke();
    } catch (Throwable t) {
      throw new AssertionError("libmunge throws nothing", t);
    }
  }
}
