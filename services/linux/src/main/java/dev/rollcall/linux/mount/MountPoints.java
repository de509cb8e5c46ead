package dev.rollcall.linux.mount;

import dev.rollcall.linux.KernelText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where something is mounted, in the mount namespace of the calling thread, by
 * proc_pid_mountinfo(5): that also knows of file systems that answer no statfs(2), as a user's
 * FUSE.
 */
public final class MountPoints {
  private static final Path TABLE = Path.of("/proc/thread-self/mountinfo");
  private static final int POINT = 4;
  private static final int OPTIONS = 5;
  private static final Pattern OCTAL = Pattern.compile("\\\\([0-7]{3})");

  private MountPoints() {}

  /** Whether something is mounted at this very path, a bind mount too. */
  public static boolean has(Path path) throws IOException {
    return below(path).containsKey(path);
  }

  /**
   * All at this path and below it, in the order in which they were mounted, each with what it does
   * not let its users do; where several are at one path it is the last. What another mount covers
   * is among them.
   */
  public static SequencedMap<Path, Set<MountFlag>> below(Path top) throws IOException {
    SequencedMap<Path, Set<MountFlag>> found = new LinkedHashMap<>();
    for (String line : KernelText.lines(TABLE)) {
      String[] fields = line.split(" ", OPTIONS + 2);
      String point = unescaped(fields[POINT]);
      // Others' mount points may be no paths in this process's locale.
      if (point.startsWith(top.toString()) && Path.of(point).startsWith(top)) {
        found.put(Path.of(point), flags(fields[OPTIONS]));
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
