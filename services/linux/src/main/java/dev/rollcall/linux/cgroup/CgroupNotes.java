package dev.rollcall.linux.cgroup;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.Syscall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/**
 * Stores facts about a cgroup as extended attributes {@code trusted.rollcall.*} of its directory,
 * xattr(7), which only root sees. They live exactly as long as the cgroup, so that no file about it
 * can be stale. cgroup v1 and v2 keep them since Linux 3.7; inside of a user namespace they are
 * refused.
 */
public record CgroupNotes(CgroupDirectory directory) {
  private static final String PREFIX = "trusted.rollcall.";
  private static final int LONGEST = 256;

  /** Notes it; what was noted under this name before is gone. */
  public void write(String name, String value) throws ErrnoException {
    byte[] bytes = value.getBytes(UTF_8);
    try (Arena arena = Arena.ofConfined()) {
      long path = arena.allocateFrom(directory.toString()).address();
      long attribute = arena.allocateFrom(PREFIX + name).address();
      long text = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes).address();
      long result = Syscall.SETXATTR.call(path, attribute, text, bytes.length, 0, 0);
      Syscall.SETXATTR.check(directory + ", " + PREFIX + name, result);
    }
  }

  /** Empty if nothing was noted under this name, or the cgroup is gone. */
  public Optional<String> read(String name) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      long path = arena.allocateFrom(directory.toString()).address();
      long attribute = arena.allocateFrom(PREFIX + name).address();
      MemorySegment text = arena.allocate(LONGEST);
      long length = Syscall.GETXATTR.call(path, attribute, text.address(), LONGEST, 0, 0);
      if (length == -Errno.ENODATA.number()
          || length == -Errno.ENOENT.number()
          || length == -Errno.EOPNOTSUPP.number()) {
        return Optional.empty();
      }
      Syscall.GETXATTR.check(directory + ", " + PREFIX + name, length);
      byte[] bytes = text.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
      return Optional.of(new String(bytes, UTF_8));
    }
  }
}
