package dev.rollcall.linux.execs;

import dev.rollcall.linux.cgroup.CgroupDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The watched part of the cgroup2 tree: everything below {@code within}, except what is below
 * {@code except}.
 *
 * @param within absent: everywhere
 */
public record Fence(Optional<Post> within, Post except) {
  /**
   * A directory of the cgroup2 tree, as the kernel names it to programs.
   *
   * @param level how far below the root, which is 0
   * @param id its inode number
   */
  public record Post(int level, long id) {
    /**
     * @param mount where cgroup2 is mounted
     * @throws IOException if the directory is not below the mount, or the mount does not show the
     *     tree's own root, so that the level cannot be told
     */
    static Post of(Path mount, Path directory) throws IOException {
      // The root alone has no such file (cgroups(7)).
      if (Files.exists(mount.resolve("cgroup.type"))) {
        throw new IOException(mount + " does not show the root of the cgroup2 tree");
      }
      if (!directory.startsWith(mount) || directory.equals(mount)) {
        throw new IOException(directory + " is not below " + mount);
      }
      int level = directory.getNameCount() - mount.getNameCount();
      return new Post(level, new CgroupDirectory(directory).id());
    }
  }

  /**
   * @param mount where cgroup2 is mounted
   * @param within absent, or the mount itself: everywhere
   * @param except exists
   */
  public static Fence of(Path mount, Optional<Path> within, Path except) throws IOException {
    Optional<Path> below = within.filter(path -> !path.equals(mount));
    return new Fence(
        below.isPresent() ? Optional.of(Post.of(mount, below.get())) : Optional.empty(),
        Post.of(mount, except));
  }
}
