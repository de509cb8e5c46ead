package dev.rollcall.settings.container;

import dev.rollcall.settings.FilePosition;
import java.util.ArrayList;
import java.util.List;

/** Private directories, each with its place; no path is there twice. */
record Directories(List<LocatedValue<PrivateDirectory>> list) {
  Directories {
    list = List.copyOf(list);
  }

  /** Collects them; what is wrong with one is for whoever gave it. */
  static final class Collecting {
    private final List<LocatedValue<PrivateDirectory>> list = new ArrayList<>();

    /**
     * Takes one more.
     *
     * @throws IllegalArgumentException if it cannot be private, or is there already
     */
    void add(PrivateDirectory directory, FilePosition place) {
      JobPathPattern path = directory.path();
      if (path.text().equals("/")) {
        throw new IllegalArgumentException("'/' cannot be private");
      }
      Trusted.mayBePrivate(path.text());
      if (list.stream().anyMatch(other -> other.value().path().equals(path))) {
        throw new IllegalArgumentException("'" + path + "' is given twice");
      }
      list.add(new LocatedValue<>(directory, place));
    }

    /** Takes one by its path alone. */
    void add(String path, FilePosition place) {
      add(PrivateDirectory.named(new JobPathPattern(AbsolutePath.parse(path, ""))), place);
    }

    Directories all() {
      return new Directories(list);
    }
  }

  /** A list with commas, as Slurm has it: blanks belong to the paths. */
  static Directories parse(String text, FilePosition place) {
    var collecting = new Collecting();
    for (String path : text.split(",", -1)) {
      collecting.add(path, place);
    }
    return collecting.all();
  }

  /** What is private where nothing is said. */
  static Directories byDefault() {
    return parse("/tmp,/dev/shm", new FilePosition("the defaults", 0));
  }
}
