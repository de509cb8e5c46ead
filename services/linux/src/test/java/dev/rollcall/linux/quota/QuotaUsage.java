package dev.rollcall.linux.quota;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.rollcall.linux.Descriptor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads what is in a directory that {@link TreeQuota#make} made, by the kernel's count. */
final class QuotaUsage {
  private static final int QGROUP_INFO = 242; // linux/btrfs_tree.h

  private QuotaUsage() {}

  /** Empty if it has no limit, or is on a file system that knows none. */
  static Optional<TreeUsage> of(Path directory) throws IOException {
    Optional<FileSystemType> type = FileSystemType.of(directory);
    if (type.isEmpty()) {
      return Optional.empty();
    }
    try (Descriptor open = Descriptor.open(directory)) {
      return switch (type.get()) {
        case BTRFS -> ofSubvolume(open);
        case EXT4, XFS -> ofProject(open);
        default -> Optional.empty();
      };
    }
  }

  private static Optional<TreeUsage> ofSubvolume(Descriptor open) throws IOException {
    long number = Subvolume.of(open).number();
    long ours = Qgroups.ours(number);
    var trees = new BtrfsTrees(open);
    OptionalLong limit = trees.limit(ours);
    if (limit.isEmpty()) {
      return Optional.empty();
    }
    boolean simple = trees.status().filter(BtrfsTrees.Status::simple).isPresent();
    return Optional.of(
        new TreeUsage(
            used(trees, simple ? ours : number),
            new TreeLimit(limit.getAsLong(), OptionalLong.empty()),
            OptionalLong.empty()));
  }

  /** In bytes, at the last commit. */
  private static long used(BtrfsTrees trees, long group) throws IOException {
    return trees.find(BtrfsTrees.QUOTA_TREE, 0, QGROUP_INFO, group, group).stream()
        .mapToLong(item -> item.number(8))
        .findFirst()
        .orElse(0);
  }

  private static Optional<TreeUsage> ofProject(Descriptor open) throws IOException {
    var quotas = new Quotactl(open);
    if (!quotas.limits()) {
      return Optional.empty();
    }
    int project = ProjectAttributes.of(open).project();
    return project < Projects.FIRST || project >= Projects.FIRST + Projects.COUNT
        ? Optional.empty()
        : Optional.of(ofProject(quotas, project));
  }

  private static TreeUsage ofProject(Quotactl quotas, int project) throws IOException {
    Quotactl.Usage usage = quotas.usage(project);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment quota = quotas.quota(project, arena);
      long kib = quota.get(JAVA_LONG, 0);
      long inodes = quota.get(JAVA_LONG, 24);
      var limit =
          new TreeLimit(
              kib == 0 ? Long.MAX_VALUE : kib * 1_024,
              inodes == 0 ? OptionalLong.empty() : OptionalLong.of(inodes));
      return new TreeUsage(usage.bytes(), limit, OptionalLong.of(usage.inodes()));
    }
  }
}
