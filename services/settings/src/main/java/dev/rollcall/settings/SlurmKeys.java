package dev.rollcall.settings;

import static java.lang.System.Logger.Level.WARNING;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The keys of a file in Slurm's syntax, in any case. Keys are taken one by one; what is left in the
 * end was not known.
 */
final class SlurmKeys {
  private static final System.Logger LOG = System.getLogger(SlurmKeys.class.getName());

  /**
   * @param where file and line, for messages
   */
  private record Said(String key, String value, String where) {}

  private static final Kind<Boolean> BOOL =
      new Kind<>("`yes` or `no`", SlurmLines::bool, Kind.yesOrNo().writer());

  private final List<KnownKey> asked = new ArrayList<>();
  private final Map<String, Said> said = new LinkedHashMap<>();
  private final TreeSet<String> known = new TreeSet<>();

  private SlurmKeys() {}

  static SlurmKeys none() {
    return new SlurmKeys();
  }

  static SlurmKeys read(Path file) throws BadConfigException {
    var read = SlurmLines.read(file);
    if (!read.problems().isEmpty()) {
      throw new BadConfigException(read.problems().getFirst().toString());
    }
    var keys = new SlurmKeys();
    for (SlurmLines.Line line : read.lines()) {
      for (SlurmLines.Pair pair : line.pairs()) {
        keys.put(new Said(pair.key(), pair.value(), pair.place().toString()));
      }
    }
    return keys;
  }

  /** As in Slurm the last one holds. */
  private void put(Said one) {
    Said before = said.put(one.key.toLowerCase(Locale.ROOT), one);
    if (before != null) {
      LOG.log(
          WARNING,
          "{0}: key ''{1}'' is given twice, first at {2}: the last one holds",
          one.where,
          one.key,
          before.where);
    }
  }

  /** A value, or the standard one. The kind's IllegalArgumentException says what is wrong. */
  <T> T value(String key, Kind<T> kind, T standard) throws BadConfigException {
    asked.add(new KnownKey(key, kind.takes(), Optional.of(kind.writer().apply(standard))));
    known.add(key);
    Said one = said.remove(key.toLowerCase(Locale.ROOT));
    if (one == null) {
      return standard;
    }
    if (one.value.isEmpty()) {
      LOG.log(WARNING, "{0}: {1} has no value: its default holds", one.where, key);
      return standard;
    }
    try {
      return kind.apply(one.value);
    } catch (IllegalArgumentException e) {
      throw new BadConfigException(one.where + ": " + key + ": " + e.getMessage());
    }
  }

  boolean bool(String key) throws BadConfigException {
    return value(key, BOOL, false);
  }

  /** What was asked for so far, without what is ignored. */
  List<KnownKey> asked() {
    return List.copyOf(asked);
  }

  /** Takes these keys away; returns those that were there, each with its place. */
  List<String> ignore(List<String> keys) {
    List<String> there = new ArrayList<>();
    for (String key : keys) {
      known.add(key);
      Said one = said.remove(key.toLowerCase(Locale.ROOT));
      if (one != null) {
        there.add(key + " (" + one.where + ")");
      }
    }
    return there;
  }

  /** Refuses what nobody took. */
  void end() throws BadConfigException {
    if (!said.isEmpty()) {
      Said first = said.values().iterator().next();
      throw new BadConfigException(
          "%s: unknown key '%s' (%s); known are %s"
              .formatted(first.where, first.key, first.value, String.join(", ", known)));
    }
  }
}
