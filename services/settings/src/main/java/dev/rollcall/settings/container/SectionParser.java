package dev.rollcall.settings.container;

import dev.rollcall.settings.FilePosition;
import java.util.Set;

/** Collects what one part of a file says, value by value. */
final class SectionParser {
  /** What has to fit together. */
  private static final Set<Key<?>> PATHS = Set.of(Key.BASE_PATH, Key.DIRS);

  private final Findings findings;
  private final boolean lastHolds;
  private SectionValues fields = SectionValues.NONE;
  private boolean clean = true;

  /**
   * @param lastHolds of a key that is given twice; else it is a problem
   */
  SectionParser(Findings findings, boolean lastHolds) {
    this.findings = findings;
    this.lastHolds = lastHolds;
  }

  /** Reads a value under the name that its key has in the file. */
  <T> void take(Key<T> key, String name, String text, FilePosition place) {
    try {
      put(key, name, new LocatedValue<>(key.reader().apply(text, place), place));
    } catch (IllegalArgumentException e) {
      clean &= !PATHS.contains(key);
      findings.problem(place, name + ": " + e.getMessage());
    }
  }

  <T> void put(Key<T> key, String name, LocatedValue<T> value) {
    var before = fields.get(key);
    if (before.isPresent()) {
      String twice = "key '" + name + "' is given twice, first at " + before.get().place();
      if (!lastHolds) {
        wrong(value.place(), twice);
        return;
      }
      findings.note(value.place(), twice + ": the last one holds");
    }
    fields = fields.with(key, value);
  }

  void wrong(FilePosition place, String text) {
    clean = false;
    findings.problem(place, text);
  }

  SectionValues fields() {
    return fields;
  }

  /** Nothing was left out for a problem that has to fit with other parts of the file. */
  boolean clean() {
    return clean;
  }
}
