package dev.rollcall.linux.cgroup;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.KernelFile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * Reads the kernel's files of one cgroup in all hierarchies: each file once, at its first use. A
 * file that is in none of them, or that the kernel does not let read (a switched off {@code
 * *.pressure} is EOPNOTSUPP), is absent. For one thread.
 */
public final class CgroupFiles {
  private static final int LONGEST_NUMBER = 19;

  /** A file, and the first hierarchy that has it. */
  private record Found(CgroupDirectory directory, String text) {}

  private final List<CgroupDirectory> directories;
  private final Map<String, Optional<Found>> files = new HashMap<>();

  /**
   * @param directories the cgroup's own in each hierarchy
   */
  public CgroupFiles(List<CgroupDirectory> directories) {
    this.directories = List.copyOf(directories);
  }

  List<CgroupDirectory> directories() {
    return directories;
  }

  private Optional<Found> file(String name) {
    return files.computeIfAbsent(name, this::find);
  }

  private Optional<Found> find(String name) {
    for (CgroupDirectory directory : directories) {
      try {
        Optional<byte[]> bytes = KernelFile.readIfThere(directory.path() + "/" + name);
        if (bytes.isPresent()) {
          return Optional.of(new Found(directory, new String(bytes.get(), US_ASCII)));
        }
      } catch (ErrnoException notHere) {
        // Perhaps in the next one.
      }
    }
    return Optional.empty();
  }

  /** The file's text, from the first hierarchy that has it. */
  Optional<String> text(String file) {
    return file(file).map(Found::text);
  }

  /** A file that holds one number. */
  public OptionalLong number(String file) {
    Optional<String> text = text(file);
    return text.isEmpty() ? OptionalLong.empty() : numberAt(text.get(), 0);
  }

  /** A line {@code KEY NUMBER} of a file. */
  public OptionalLong keyed(String file, String key) {
    String text = text(file).orElse("");
    for (int line = 0; line < text.length(); line = next(text, line)) {
      if (text.startsWith(key, line) && text.startsWith(" ", line + key.length())) {
        return numberAt(text, line + key.length() + 1);
      }
    }
    return OptionalLong.empty();
  }

  /** What follows {@code before} in the first line that begins with {@code start}. */
  OptionalLong word(String file, String start, String before) {
    String text = text(file).orElse("");
    for (int line = 0; line < text.length(); line = next(text, line)) {
      int at = text.startsWith(start, line) ? text.indexOf(before, line) : -1;
      if (at >= 0 && at < next(text, line)) {
        return numberAt(text, at + before.length());
      }
    }
    return OptionalLong.empty();
  }

  /** The sum of what follows {@code before} in all words that begin so, one of each line. */
  OptionalLong sum(String file, Predicate<String> wanted, String before) {
    Optional<String> text = text(file);
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    long sum = 0;
    for (String line : (Iterable<String>) text.get().lines()::iterator) {
      int at = wanted.test(line) ? line.indexOf(before) : -1;
      sum += at < 0 ? 0 : numberAt(line, at + before.length()).orElse(0);
    }
    return OptionalLong.of(sum);
  }

  /** The beginning of the next line. */
  private static int next(String text, int line) {
    int end = text.indexOf('\n', line);
    return end < 0 ? text.length() : end + 1;
  }

  /** The word at this place, if it is a number. */
  private static OptionalLong numberAt(String text, int from) {
    int end = from;
    long number = 0;
    while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
      number = 10 * number + text.charAt(end) - '0';
      end++;
    }
    boolean isWord = end == text.length() || Character.isWhitespace(text.charAt(end));
    return isWord && end > from && end - from <= LONGEST_NUMBER
        ? OptionalLong.of(number)
        : OptionalLong.empty();
  }

  /** The directory in the first hierarchy that has this file. */
  Optional<CgroupDirectory> having(String file) {
    return file(file).map(Found::directory);
  }
}
