package dev.rollcall.settings.container;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Where root's programs look for what they run, load or believe. sshd goes on in a job's mounts as
 * root until it becomes the user: what it finds there may not be the user's.
 */
final class Trusted {
  /** With all that is in them. */
  private static final List<Path> TREES =
      paths(
          "/etc",
          "/bin",
          "/sbin",
          "/lib",
          "/lib32",
          "/lib64",
          "/libx32",
          "/usr/bin",
          "/usr/sbin",
          "/usr/lib",
          "/usr/lib32",
          "/usr/lib64",
          "/usr/libx32",
          "/usr/libexec",
          "/usr/local",
          "/proc",
          "/sys",
          "/run/rollcall",
          "/run/nscd",
          "/run/dbus",
          "/run/systemd",
          "/var/run",
          "/var/lib/sss",
          "/var/lib/extrausers",
          "/opt/rollcall");

  /** These alone: there may be directories of jobs in them. */
  private static final Set<Path> DIRECTORIES = Set.copyOf(paths("/dev", "/root"));

  private Trusted() {}

  private static List<Path> paths(String... texts) {
    return List.of(texts).stream().map(Path::of).toList();
  }

  /**
   * Whether it may become the user's.
   *
   * @throws IllegalArgumentException saying what is inside of it, or around it
   */
  static void mayBePrivate(String text) {
    mayBeCovered(text, "private");
    Path path = Path.of(text);
    for (Path tree : TREES) {
      if (path.startsWith(tree)) {
        throw new IllegalArgumentException(
            "'%s' cannot be private: root's programs trust the files in '%s'"
                .formatted(text, tree));
      }
    }
  }

  /**
   * Whether something else may be seen in its place.
   *
   * @param what it is to be
   */
  static void mayBeCovered(String text, String what) {
    Path path = Path.of(text);
    for (Path tree : TREES) {
      if (tree.startsWith(path)) {
        throw new IllegalArgumentException(
            "'%s' cannot be %s: root's programs need '%s'".formatted(text, what, tree));
      }
    }
    if (DIRECTORIES.contains(path)) {
      throw new IllegalArgumentException(
          "'%s' cannot be %s: root's programs need it".formatted(text, what));
    }
  }
}
