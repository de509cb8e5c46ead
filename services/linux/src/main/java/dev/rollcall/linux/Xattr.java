package dev.rollcall.linux;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Optional;

/** Extended attributes, xattr(7). Of {@code trusted.} ones only CAP_SYS_ADMIN sees anything. */
public final class Xattr {
  /** Bytes of a value that is read. */
  public static final int LONGEST = 1_024;

  private Xattr() {}

  /**
   * The value of an attribute; empty if there is none of the name, or the file system has none at
   * all.
   */
  public static Optional<String> get(Path path, String name) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(LONGEST);
      long file = arena.allocateFrom(path.toString()).address();
      long attribute = arena.allocateFrom(name).address();
      long size = Syscall.GETXATTR.call(file, attribute, value.address(), LONGEST, 0, 0);
      if (size == -Errno.ENODATA.number()
          || size == -Errno.EOPNOTSUPP.number()
          || size == -Errno.ENOENT.number()) {
        return Optional.empty();
      }
      Syscall.GETXATTR.check(name + " of " + path, size);
      return Optional.of(new String(value.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE), UTF_8));
    }
  }

  /** Sets an attribute, or replaces it. */
  public static void set(Path path, String name, String value) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      long file = arena.allocateFrom(path.toString()).address();
      long attribute = arena.allocateFrom(name).address();
      byte[] bytes = value.getBytes(UTF_8);
      MemorySegment copy = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
      Syscall.SETXATTR.check(
          name + " of " + path,
          Syscall.SETXATTR.call(file, attribute, copy.address(), bytes.length, 0, 0));
    }
  }
}
