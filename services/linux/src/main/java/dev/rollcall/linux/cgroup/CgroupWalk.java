package dev.rollcall.linux.cgroup;

import dev.rollcall.linux.cgroup.CgroupDirectory.Condition;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Goes through a cgroup and those below it. The JDK keeps a path and an open directory for each
 * level, not for each cgroup: users make as many as they like, with names of 255 bytes.
 */
final class CgroupWalk extends SimpleFileVisitor<Path> {
  /** kernfs counts sub-directories in st_nlink: this many means none. */
  private static final int LINKS_OF_NONE = 2;

  private final Condition down;
  private final Condition up;
  private boolean ended;

  CgroupWalk(Condition down, Condition up) {
    this.down = down;
    this.up = up;
  }

  /**
   * Whether a condition ended it.
   *
   * @param deepest how many levels below the top are entered
   * @param down of each cgroup before those below it; true ends the walk
   * @param up of each cgroup after those below it; true ends the walk
   */
  static boolean ended(CgroupDirectory top, int deepest, Condition down, Condition up)
      throws IOException {
    var walk = new CgroupWalk(down, up);
    Files.walkFileTree(top.path(), Set.of(), deepest, walk);
    return walk.ended;
  }

  private boolean ends(Condition condition, Path directory) throws IOException {
    ended = condition.test(new CgroupDirectory(directory));
    return ended;
  }

  @Override
  public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
      throws IOException {
    if (ends(down, directory)) {
      return FileVisitResult.TERMINATE;
    }
    if (hasChildren(directory)) {
      return FileVisitResult.CONTINUE;
    }
    // Spares a stat for each file.
    return ends(up, directory) ? FileVisitResult.TERMINATE : FileVisitResult.SKIP_SUBTREE;
  }

  /** Without listing the directory; false if it is gone. */
  static boolean hasChildren(Path directory) throws IOException {
    try {
      int links = ((Number) Files.getAttribute(directory, "unix:nlink")).intValue();
      return links != LINKS_OF_NONE;
    } catch (IOException e) {
      rethrowIfThere(directory, e);
      return false;
    }
  }

  /**
   * What is gone, or has a path that is too long, is not there. What was gone may have been made
   * again by now.
   */
  private static void rethrowIfThere(Path file, IOException e) throws IOException {
    if (!(e instanceof NoSuchFileException) && Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
      throw e;
    }
  }

  /** One of the kernel's files, or a cgroup of the lowest level. */
  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
    return attributes.isDirectory() && (ends(down, file) || ends(up, file))
        ? FileVisitResult.TERMINATE
        : FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
    rethrowIfThere(file, e);
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
      throws IOException {
    if (e != null) {
      throw new IOException("list " + directory, e);
    }
    return ends(up, directory) ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
  }
}
