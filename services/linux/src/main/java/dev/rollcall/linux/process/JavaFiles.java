package dev.rollcall.linux.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.KernelFile;
import dev.rollcall.linux.Syscall;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lists the files of the running Java that this process maps: the JVM's library, archives of
 * classes.
 */
public final class JavaFiles {
  private static final int MADV_DONTNEED = 4;

  /** proc_pid_smaps(5): the first line of a mapping that is private and cannot be written to. */
  private static final Pattern READ_ONLY =
      Pattern.compile("([0-9a-f]+)-([0-9a-f]+) r-[-x]p \\S+ \\S+ \\S+ +(/.+)");

  private static final Pattern CHANGED = Pattern.compile("Anonymous: +(\\d+) kB");

  private JavaFiles() {}

  /**
   * Unmaps the pages that are the files' own, madvise(2) with MADV_DONTNEED: what the start alone
   * needed leaves the resident set, the rest returns from the page cache when it is read next.
   * Mappings with pages of this process's own, such as relocated addresses, stay.
   *
   * <p>Only below {@code java.home}: a JVM never unmaps its library and archives, so no other
   * mapping can take their addresses meanwhile.
   *
   * @return the size of the mappings, in bytes
   * @throws ErrnoException of /proc/self/smaps
   */
  public static long release() throws ErrnoException {
    String home = System.getProperty("java.home") + "/";
    long released = 0;
    Mapping mapping = Mapping.NONE;
    for (String line : new String(KernelFile.read("/proc/self/smaps"), UTF_8).split("\n", -1)) {
      Matcher first = READ_ONLY.matcher(line);
      Matcher changed = CHANGED.matcher(line);
      if (first.matches()) {
        mapping = first.group(3).startsWith(home) ? Mapping.of(first) : Mapping.NONE;
      } else if (changed.matches()) {
        released += changed.group(1).equals("0") ? mapping.release() : 0;
        mapping = Mapping.NONE;
      }
    }
    return released;
  }

  private record Mapping(long from, long to) {
    static final Mapping NONE = new Mapping(0, 0);

    static Mapping of(Matcher line) {
      return new Mapping(
          Long.parseUnsignedLong(line.group(1), 16), Long.parseUnsignedLong(line.group(2), 16));
    }

    /** Locked pages stay (EINVAL). */
    long release() {
      long size = to - from;
      return size > 0 && Syscall.MADVISE.call(from, size, MADV_DONTNEED) == 0 ? size : 0;
    }
  }
}
