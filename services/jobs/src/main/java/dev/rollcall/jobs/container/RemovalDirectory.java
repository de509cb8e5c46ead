package dev.rollcall.jobs.container;

import static java.lang.System.Logger.Level.WARNING;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.util.Objects.requireNonNull;

import dev.rollcall.linux.files.OwnDirectory;
import dev.rollcall.linux.files.TreeRemoval.Report;
import dev.rollcall.model.JobId;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/**
 * {@code BASE/.rollcall-NODE}, where a node puts what it will remove of {@code BASE}: in the same
 * file system, so that a rename does, and of a name of the node's, as nodes may share the base. It
 * is there while something is in it.
 */
final class RemovalDirectory {
  private static final System.Logger LOG = System.getLogger(RemovalDirectory.class.getName());
  private static final String GONE = "gone-";
  private static final int MOST_TRIES = 100;
  private static final int MOST_OF_A_NAME = 100_000;

  private final Path path;

  private RemovalDirectory(Path path) {
    this.path = path;
  }

  static RemovalDirectory in(Path base, String node) {
    return new RemovalDirectory(base.resolve(".rollcall-" + node));
  }

  /** Where this tree was put. */
  static RemovalDirectory of(Path tree) {
    return new RemovalDirectory(requireNonNull(tree.getParent()));
  }

  /**
   * Moves a directory here, as {@code gone-42-1} or the next number that is free.
   *
   * @return where it is now
   * @throws NoSuchFileException if there is no such directory
   * @throws IOException naming the path and errno's words
   */
  Path take(Path directory) throws IOException {
    for (int i = 0; i < MOST_TRIES; i++) {
      try (OwnDirectory aside = OwnDirectory.make(path)) {
        return take(directory, aside);
      } catch (NoSuchFileException e) { // or it was empty, and was removed meanwhile
        if (!Files.exists(directory, NOFOLLOW_LINKS)) {
          throw e;
        }
      }
    }
    throw new IOException(
        directory + ": cannot be moved aside: " + path + " disappears repeatedly");
  }

  private Path take(Path directory, OwnDirectory aside) throws IOException {
    for (int k = 1; k <= MOST_OF_A_NAME; k++) {
      String name = GONE + directory.getFileName() + "-" + k;
      try {
        aside.take(directory, name);
        return path.resolve(name);
      } catch (FileAlreadyExistsException taken) { // the next one
      } catch (IOException e) {
        tidy();
        throw e;
      }
    }
    throw new IOException(
        directory + ": cannot be moved aside: all names in " + path + " are taken");
  }

  /**
   * The trees in it.
   *
   * @throws NoSuchFileException if it is not there
   * @throws IOException if it is not the caller's own, or cannot be read
   */
  List<Path> trees() throws IOException {
    try (OwnDirectory aside = OwnDirectory.open(path)) {
      return aside.names().stream()
          .filter(name -> name.startsWith(GONE))
          .map(path::resolve)
          .toList();
    }
  }

  /** The trees in it that were a job's directory. */
  List<Path> of(JobId job) throws IOException {
    try {
      String beginning = GONE + job + "-";
      return trees().stream()
          .filter(tree -> requireNonNull(tree.getFileName()).toString().startsWith(beginning))
          .toList();
    } catch (NoSuchFileException none) {
      return List.of();
    }
  }

  /** Removes a tree; as {@link OwnDirectory#remove}. */
  Report remove(Path tree, BooleanSupplier goesOn, LongAdder counter) throws IOException {
    try (OwnDirectory aside = OwnDirectory.open(path)) {
      return aside.remove(requireNonNull(tree.getFileName()).toString(), goesOn, counter);
    }
  }

  /** Removes the directory itself, if it is empty. Not before it was seen to be private. */
  void tidy() {
    try {
      Files.deleteIfExists(path);
    } catch (DirectoryNotEmptyException inUse) { // it goes with the last of them
    } catch (IOException e) {
      LOG.log(WARNING, "{0} is empty and cannot be removed: {1}", path, e.getMessage());
    }
  }
}
