package dev.rollcall.linux.cgroup;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * The kernel's files about one cgroup that stands in several hierarchies. A file that is in none of
 * them, or that the kernel does not let read (a switched off {@code *.pressure} is EOPNOTSUPP), is
 * absent.
 *
 * @param directories the cgroup's own in each hierarchy
 */
public record CgroupFiles(List<CgroupDirectory> directories) {
  public CgroupFiles {
    directories = List.copyOf(directories);
  }

  /** What the file says, in the first hierarchy that has it. */
  Optional<List<String>> lines(String file) {
    for (CgroupDirectory directory : directories) {
      try {
        return Optional.of(Files.readAllLines(directory.path().resolve(file), US_ASCII));
      } catch (IOException notHere) {
        // Perhaps in the next one.
      }
    }
    return Optional.empty();
  }

  /** A file that holds one number. */
  public OptionalLong number(String file) {
    Optional<List<String>> lines = lines(file);
    return lines.isEmpty() || lines.get().isEmpty()
        ? OptionalLong.empty()
        : parsed(lines.get().getFirst());
  }

  /** A line {@code KEY NUMBER} of a file. */
  OptionalLong keyed(String file, String key) {
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
    return number.matches("[0-9]{1,19}")
        ? OptionalLong.of(Long.parseUnsignedLong(number))
        : OptionalLong.empty();
  }

  /** The directory in the first hierarchy that has this file. */
  Optional<CgroupDirectory> having(String file) {
    return directories.stream().filter(each -> Files.exists(each.path().resolve(file))).findFirst();
  }
}
