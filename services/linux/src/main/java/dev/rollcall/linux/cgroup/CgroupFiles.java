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
import java.util.regex.Pattern;

/**
 * Reads the kernel's files of one cgroup in all hierarchies: each file once, at its first use. A
 * file that is in none of them, or that the kernel does not let read (a switched off {@code
 * *.pressure} is EOPNOTSUPP), is absent. For one thread.
 */
public final class CgroupFiles {
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,19}");

  /** A file, and the first hierarchy that has it. */
  private record Found(CgroupDirectory directory, List<String> lines) {}

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
          return Optional.of(
              new Found(directory, new String(bytes.get(), US_ASCII).lines().toList()));
        }
      } catch (ErrnoException notHere) {
        // Perhaps in the next one.
      }
    }
    return Optional.empty();
  }

  /** What the file says, in the first hierarchy that has it. */
  Optional<List<String>> lines(String file) {
    return file(file).map(Found::lines);
  }

  /** A file that holds one number. */
  public OptionalLong number(String file) {
    Optional<List<String>> lines = lines(file);
    return lines.isEmpty() || lines.get().isEmpty()
        ? OptionalLong.empty()
        : parsed(lines.get().getFirst());
  }

  /** A line {@code KEY NUMBER} of a file. */
  public OptionalLong keyed(String file, String key) {
    return lines(file).stream()
        .flatMap(List::stream)
        .filter(line -> line.startsWith(key + " "))
        .map(line -> parsed(line.substring(key.length() + 1)))
        .findFirst()
        .orElse(OptionalLong.empty());
  }

  /** The sum of what follows {@code before} in all words that begin so. */
  OptionalLong sum(String file, Predicate<String> wanted, String before) {
    Optional<List<String>> lines = lines(file);
    if (lines.isEmpty()) {
      return OptionalLong.empty();
    }
    long sum = 0;
    for (String line : lines.get()) {
      int at = wanted.test(line) ? line.indexOf(before) : -1;
      if (at >= 0) {
        sum += parsed(line.substring(at + before.length()).split(" ", 2)[0]).orElse(0);
      }
    }
    return OptionalLong.of(sum);
  }

  private static OptionalLong parsed(String text) {
    String number = text.strip();
    return NUMBER.matcher(number).matches()
        ? OptionalLong.of(Long.parseUnsignedLong(number))
        : OptionalLong.empty();
  }

  /** The directory in the first hierarchy that has this file. */
  Optional<CgroupDirectory> having(String file) {
    return file(file).map(Found::directory);
  }
}
