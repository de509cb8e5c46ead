package dev.rollcall.jobs.container;

import dev.rollcall.linux.files.TreeRemoval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** Stand-in until the real one. */
public final class Removals implements AutoCloseable {
  static final String GONE = "gone-";
  private final String node;

  /** P. */
  public record Progress(long waiting) {}

  private Removals(String node) {
    this.node = node;
  }

  static Removals open(String node) {
    return new Removals(node);
  }

  Path aside(Path base) throws IOException {
    Path aside = base.resolve(".rollcall-" + node);
    Files.createDirectories(
        aside, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    return aside;
  }

  void put(Path directory) throws IOException {
    Path to =
        aside(java.util.Objects.requireNonNull(directory.getParent()))
            .resolve(GONE + directory.getFileName() + "-" + System.nanoTime());
    Files.move(directory, to, StandardCopyOption.ATOMIC_MOVE);
    TreeRemoval.empty(to, () -> true);
    Files.delete(to);
    Files.delete(to.getParent());
  }

  void resume(Path base) {}

  Progress progress() {
    return new Progress(0);
  }

  @Override
  public void close() {}
}
