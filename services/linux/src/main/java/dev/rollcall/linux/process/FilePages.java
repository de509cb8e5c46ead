package dev.rollcall.linux.process;

import dev.rollcall.linux.Syscall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The pages of files that this process has mapped: its libraries, and what the JVM keeps of classes
 * in a file. They are in memory once for all processes, and count for each that has them.
 */
public final class FilePages {
  /**
   * Of {@code madvise(2)}: the next access takes the page from the file, or from the page cache.
   */
  private static final int MADV_DONTNEED = 4;

  /** {@code proc_pid_smaps(5)}: addresses, permissions, offset, device, inode and path. */
  private static final Pattern MAPPING =
      Pattern.compile("([0-9a-f]+)-([0-9a-f]+) (\\S{4}) \\S+ \\S+ ([0-9]+).*");

  private static final Pattern ANONYMOUS = Pattern.compile("Anonymous: +([0-9]+) kB");

  private record Mapping(long start, long end, boolean isFile) {}

  private FilePages() {}

  /**
   * Lets go of all that nobody here has written to and nobody may. What is needed again comes back
   * page by page, from the page cache as long as the kernel has it there.
   *
   * @return the bytes of the mappings that were let go of, whether they were in memory or not
   * @throws IOException if {@code /proc/self/smaps} cannot be read
   */
  public static long letGo() throws IOException {
    long bytes = 0;
    for (Mapping each : unwritten(Files.readAllLines(Path.of("/proc/self/smaps")))) {
      long size = each.end - each.start;
      // One that is locked in memory is refused, and stays.
      if (Syscall.MADVISE.call(each.start, size, MADV_DONTNEED) == 0) {
        bytes += size;
      }
    }
    return bytes;
  }

  /** A private page that was written to has no file to come back from: it is called anonymous. */
  private static List<Mapping> unwritten(List<String> smaps) {
    List<Mapping> found = new ArrayList<>();
    var current = new Mapping(0, 0, false);
    for (String line : smaps) {
      Matcher mapping = MAPPING.matcher(line);
      if (mapping.matches()) {
        current =
            new Mapping(
                Long.parseUnsignedLong(mapping.group(1), 16),
                Long.parseUnsignedLong(mapping.group(2), 16),
                mapping.group(3).charAt(1) == '-' && !mapping.group(4).equals("0"));
      } else if (current.isFile) {
        Matcher anonymous = ANONYMOUS.matcher(line);
        if (anonymous.matches() && anonymous.group(1).equals("0")) {
          found.add(current);
        }
      }
    }
    return found;
  }
}
