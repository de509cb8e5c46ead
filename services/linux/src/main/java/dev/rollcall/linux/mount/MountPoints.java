package dev.rollcall.linux.mount;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.KernelText;
import dev.rollcall.linux.PathBytes;
import dev.rollcall.linux.Syscall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lists mount points in the mount namespace of the calling thread, by proc_pid_mountinfo(5), also
 * those whose file system does not answer statfs(2).
 */
public final class MountPoints {
  private static final Path TABLE = Path.of("/proc/thread-self/mountinfo");
  private static final int POINT = 4;
  private static final int OPTIONS = 5;
  private static final Pattern OCTAL = Pattern.compile("\\\\([0-7]{3})");

  private static final int AT_SYMLINK_NOFOLLOW = 0x100;
  private static final int AT_NO_AUTOMOUNT = 0x800;

  /** struct statx of linux/stat.h: stx_attributes, u64, at 8. */
  private static final int STATX_SIZE = 256;

  private static final int STX_ATTRIBUTES = 8;
  private static final long STATX_ATTR_MOUNT_ROOT = 0x2000;

  private MountPoints() {}

  /** Whether something is mounted at this very path, a bind mount too. */
  public static boolean has(Path path) throws IOException {
    return below(path).containsKey(path);
  }

  /**
   * Whether this very path is where a mount begins: STATX_ATTR_MOUNT_ROOT of statx(2), Linux 5.8.
   * As {@link #has}, but without procfs, for a thread in another mount namespace: the procfs there
   * may be that of a pid namespace to which this process does not belong. It asks the file system,
   * which may be slow or silent if it is on the network.
   *
   * @throws ErrnoException ENOENT and others
   */
  public static boolean isRoot(Path path) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment statx = arena.allocate(STATX_SIZE, 8);
      String name = path.toString();
      Syscall.STATX.check(
          name,
          Syscall.STATX.call(
              Descriptor.AT_FDCWD,
              arena.allocateFrom(name).address(),
              AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT,
              0,
              statx.address(),
              0));
      return (statx.get(JAVA_LONG, STX_ATTRIBUTES) & STATX_ATTR_MOUNT_ROOT) != 0;
    }
  }

  /**
   * All at this path and below it, in the order in which they were mounted, each with what it does
   * not let its users do; where several are at one path it is the last. What another mount covers
   * is among them.
   */
  public static SequencedMap<Path, Set<MountFlag>> below(Path top) throws IOException {
    SequencedMap<Path, Set<MountFlag>> found = new LinkedHashMap<>();
    String beginning = new String(PathBytes.of(top), ISO_8859_1);
    // Users' mount points may be no text in this process's locale: each char is a byte here.
    for (String line : KernelText.lines(new String(Files.readAllBytes(TABLE), ISO_8859_1))) {
      String[] fields = line.split(" ", OPTIONS + 2);
      String point = unescaped(fields[POINT]);
      if (point.startsWith(beginning)) {
        Path path = PathBytes.path(point.getBytes(ISO_8859_1));
        if (path.startsWith(top)) {
          found.put(path, flags(fields[OPTIONS]));
        }
      }
    }
    return found;
  }

  private static Set<MountFlag> flags(String options) {
    Set<MountFlag> flags = EnumSet.noneOf(MountFlag.class);
    for (String option : options.split(",", -1)) {
      MountFlag.named(option).ifPresent(flags::add);
    }
    return flags;
  }

  /**
   * A path as a field of mountinfo has it: the kernel writes space, tab, newline and backslash as
   * three octal digits.
   */
  public static String unescaped(String field) {
    return OCTAL
        .matcher(field)
        .replaceAll(found ->
            Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(found.group(1), 8))));
  }
}
