package dev.rollcall.linux.quota;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.quota.BtrfsTrees.Status;
import dev.rollcall.linux.quota.TreeQuota.Tended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Subvolumes of btrfs with a limit. With simple quotas it is that of a group of our own, and the
 * kernel adds what is made below (since there are any, Linux 6.7). With full quotas it is the
 * subvolume's own: a snapshot of a member of a group makes the accounting inconsistent (seen with
 * Linux 6.18).
 */
final class Subvolumes {
  /** Of users' subvolumes, with full quotas: nothing can be written. */
  private static final long NOTHING_MORE = 1;

  private static final String INCONSISTENT =
      "the quotas of its file system are inconsistent, and limit nothing:"
          + " btrfs quota rescan, or rather btrfs quota enable --simple";

  private Subvolumes() {}

  /** As {@link TreeQuota#make}, and the caller puts the path before the message. */
  static void make(Path directory, TreeLimit limit) throws IOException {
    if (limit.inodes().isPresent()) {
      throw new IOException(
          "btrfs limits no inodes, and " + limit.inodes().getAsLong() + " are asked for");
    }
    Path above = directory.getParent();
    try (Descriptor parent = Descriptor.open(above == null ? Path.of("/") : above)) {
      Optional<Status> status = new BtrfsTrees(parent).status();
      if (status.isEmpty()) {
        throw new IOException("quotas of its file system are off: btrfs quota enable --simple");
      }
      if (status.get().inconsistent()) {
        throw new IOException(INCONSISTENT);
      }
      Subvolume.create(parent, directory.getFileName());
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
      try (Descriptor made = Descriptor.open(directory)) {
        limit(Subvolume.of(made).number(), parent, status.get().simple(), limit.bytes());
      }
    }
  }

  private static void limit(long number, Descriptor parent, boolean simple, long bytes)
      throws ErrnoException {
    long ours = Qgroups.ours(number);
    var groups = new Qgroups(parent);
    groups.create(ours);
    groups.limit(ours, bytes);
    if (simple) {
      groups.add(number, ours);
    } else {
      groups.limit(number, bytes);
    }
  }

  static Tended tend(Path onIt) throws IOException {
    try (Descriptor open = Descriptor.open(onIt)) {
      var trees = new BtrfsTrees(open);
      Optional<Status> status = trees.status();
      if (status.isEmpty()) {
        return new Tended(0, 0);
      }
      int enclosed = 0;
      int released = 0;
      for (long ours : trees.ours()) {
        if (trees.exists(Qgroups.subvolumeOf(ours))) {
          enclosed += enclose(trees, ours, status.get().simple());
        } else if (release(trees, ours)) {
          released++;
        }
      }
      if (status.get().inconsistent()) {
        throw new IOException(onIt + ": " + INCONSISTENT);
      }
      return new Tended(enclosed, released);
    }
  }

  private static int enclose(BtrfsTrees trees, long ours, boolean simple) throws ErrnoException {
    var groups = new Qgroups(trees.fileSystem());
    Set<Long> below = trees.below(Qgroups.subvolumeOf(ours));
    Set<Long> enclosed = new HashSet<>(simple ? trees.members(ours) : Set.of());
    int count = 0;
    for (long each : below) {
      if (simple && !enclosed.contains(each)) {
        groups.add(each, ours);
        count++;
      } else if (!simple && trees.limit(each).orElse(NOTHING_MORE) != NOTHING_MORE) {
        groups.limit(each, NOTHING_MORE);
        count++;
      }
    }
    return count;
  }

  /**
   * Of a removed subvolume newer kernels, such as 6.18, drop the group of level 0, and never ours.
   */
  private static boolean release(BtrfsTrees trees, long ours) throws ErrnoException {
    var groups = new Qgroups(trees.fileSystem());
    for (long member : trees.members(ours)) {
      if (trees.exists(member)) { // its user moved it elsewhere
        groups.take(member, ours);
      } else {
        groups.destroy(member);
      }
    }
    return groups.destroy(Qgroups.subvolumeOf(ours)) && groups.destroy(ours);
  }
}
