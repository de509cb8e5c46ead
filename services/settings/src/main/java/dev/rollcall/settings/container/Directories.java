package dev.rollcall.settings.container;

import dev.rollcall.settings.Place;
import java.util.ArrayList;
import java.util.List;

/** Private directories, each with its place; no path is there twice. */
record Directories(List<Said<PrivateDirectory>> list) {
  Directories {
    list = List.copyOf(list);
  }

  /** Collects them; what is wrong with one is for whoever gave it. */
  static final class Collecting {
    private final List<Said<PrivateDirectory>> list = new ArrayList<>();

    /**
     * Takes one more.
     *
     * @throws IllegalArgumentException if it cannot be private, or is there already
     */
    void add(PrivateDirectory directory, Place place) {
      PathTemplate path = directory.path();
      if (path.text().equals("/")) {
        throw new IllegalArgumentException("'/' cannot be private");
      }
      Trusted.mayBePrivate(path.text());
      if (list.stream().anyMatch(other -> other.value().path().equals(path))) {
        throw new IllegalArgumentException("'" + path + "' is there twice");
      }
      list.add(new Said<>(directory, place));
    }

    /** Takes one by its path alone. */
    void add(String path, Place place) {
      add(PrivateDirectory.named(new PathTemplate(AbsolutePath.parse(path, ""))), place);
    }

    Directories all() {
      return new Directories(list);
    }
  }

  /** A list with commas, as Slurm has it: blanks belong to the paths. */
  static Directories parse(String text, Place place) {
    var collecting = new Collecting();
    for (String path : text.split(",", -1)) {
      collecting.add(path, place);
    }
    return collecting.all();
  }

  /** What is private where nothing is said. */
  static Directories byDefault() {
    return parse("/tmp,/dev/shm", new Place("the defaults", 0));
  }
}
