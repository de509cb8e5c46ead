package dev.rollcall.settings.container;

import dev.rollcall.settings.NearestWord;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The options of a mount: flags, and what tmpfs(5) takes. A word that neither knows would only be
 * refused by the kernel, when a job begins.
 */
final class MountOptions {
  private static final String COUNT = "[0-9]{1,18}[kKmMgGtT]?";

  /** What each option of a tmpfs may be; empty for those without a value. */
  private static final Map<String, String> OF_TMPFS =
      new TreeMap<>(
          Map.of(
              "size", "[0-9]{1,18}[kKmMgGtT%]?",
              "nr_blocks", COUNT,
              "nr_inodes", COUNT,
              "mode", "[0-7]{3,4}",
              "uid", "[0-9]{1,10}",
              "gid", "[0-9]{1,10}",
              "huge", "never|always|within_size|advise",
              "noswap", "",
              "inode32", "",
              "inode64", ""));

  private static final Set<String> OF_DISK = Set.of("size", "nr_inodes", "mode");

  private final Set<MountOption> flags = EnumSet.noneOf(MountOption.class);
  private final List<String> data = new ArrayList<>();

  /**
   * Takes words with commas between them.
   *
   * @throws IllegalArgumentException naming the first that is none
   */
  void add(String words) {
    for (String word : words.split(",", -1)) {
      Optional<MountOption> flag =
          Arrays.stream(MountOption.values()).filter(one -> one.word().equals(word)).findAny();
      if (flag.isPresent()) {
        flags.add(flag.get());
      } else {
        addData(word);
      }
    }
  }

  private void addData(String word) {
    int equals = word.indexOf('=');
    String name = equals < 0 ? word : word.substring(0, equals);
    String value = equals < 0 ? "" : word.substring(equals + 1);
    String form = OF_TMPFS.get(name);
    if (form == null) {
      throw new IllegalArgumentException(
          "'" + word + "' is unknown; the nearest is " + NearestWord.to(name, known()));
    }
    if (!value.matches(form) || form.isEmpty() != (equals < 0)) {
      throw new IllegalArgumentException("'" + word + "': that is not a value of " + name);
    }
    if (data.stream().anyMatch(other -> other.equals(name) || other.startsWith(name + "="))) {
      throw new IllegalArgumentException("'" + name + "' is given twice");
    }
    data.add(word);
  }

  private static List<String> known() {
    Stream<String> flags = Arrays.stream(MountOption.values()).map(MountOption::word);
    return Stream.concat(OF_TMPFS.keySet().stream(), flags).toList();
  }

  Set<MountOption> flags() {
    return flags;
  }

  Optional<String> value(String name) {
    return data.stream()
        .filter(word -> word.startsWith(name + "="))
        .map(word -> word.substring(name.length() + 1))
        .findFirst();
  }

  /**
   * A number of bytes or files, with a letter for powers of 1024.
   *
   * @throws IllegalArgumentException if it is a percentage, or more than 2^63-1
   */
  OptionalLong count(String name) {
    Optional<String> text = value(name);
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    String digits = text.get().replaceFirst("[^0-9].*", "");
    String unit = text.get().substring(digits.length()).toLowerCase(Locale.ROOT);
    int power = "kmgt".indexOf(unit.isEmpty() ? 'x' : unit.charAt(0)) + 1;
    BigInteger all = new BigInteger(digits).shiftLeft(10 * power);
    if (unit.equals("%") || all.bitLength() > 63 || all.signum() == 0) {
      throw new IllegalArgumentException(
          "'" + name + "=" + text.get() + "': on disk it is a number from 1 to 2^63-1");
    }
    return OptionalLong.of(all.longValueExact());
  }

  /** Permissions; empty where none were given. */
  OptionalInt mode() {
    return value("mode").stream().mapToInt(text -> Integer.parseInt(text, 8)).findFirst();
  }

  /** What has no effect on a directory on disk, as the kernel takes it. */
  String onlyOfTmpfs() {
    return data.stream()
        .filter(word -> !OF_DISK.contains(word.replaceFirst("=.*", "")))
        .collect(Collectors.joining(","));
  }

  /** As the kernel takes it. */
  String data() {
    return String.join(",", data);
  }
}
