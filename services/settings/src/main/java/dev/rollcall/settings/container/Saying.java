package dev.rollcall.settings.container;

import dev.rollcall.settings.Place;
import java.util.Set;

/** Collects what one part of a file says, value by value. */
final class Saying {
  /** What has to fit together. */
  private static final Set<Key<?>> PATHS = Set.of(Key.BASE_PATH, Key.DIRS);

  private final Findings findings;
  private Fields fields = Fields.NONE;
  private boolean clean = true;

  Saying(Findings findings) {
    this.findings = findings;
  }

  /** Reads a value under the name that its key has in the file. */
  <T> void take(Key<T> key, String name, String text, Place place) {
    try {
      put(key, name, new Said<>(key.reader().apply(text, place), place));
    } catch (IllegalArgumentException e) {
      clean &= !PATHS.contains(key);
      findings.problem(place, name + ": " + e.getMessage());
    }
  }

  <T> void put(Key<T> key, String name, Said<T> value) {
    var before = fields.get(key);
    if (before.isPresent()) {
      String first = before.get().place().toString();
      wrong(value.place(), "key '" + name + "' is there twice, first at " + first);
    } else {
      fields = fields.with(key, value);
    }
  }

  void wrong(Place place, String text) {
    clean = false;
    findings.problem(place, text);
  }

  Fields fields() {
    return fields;
  }

  /** Nothing was left out for a problem that has to fit with other parts of the file. */
  boolean clean() {
    return clean;
  }
}
