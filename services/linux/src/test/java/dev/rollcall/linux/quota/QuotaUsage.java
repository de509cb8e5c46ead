package dev.rollcall.linux.quota;

import dev.rollcall.linux.Descriptor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads what is in a directory that {@link TreeQuota#make} made, by the kernel's count. */
final class QuotaUsage {
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
            trees.used(simple ? ours : number),
            new TreeLimit(limit.getAsLong(), OptionalLong.empty()),
            OptionalLong.empty()));
  }

  private static Optional<TreeUsage> ofProject(Descriptor open) throws IOException {
    var quotas = new Quotactl(open);
    if (!quotas.limits()) {
      return Optional.empty();
    }
    int project = ProjectAttributes.of(open).project();
    return project < Projects.FIRST || project >= Projects.FIRST + Projects.COUNT
        ? Optional.empty()
        : Optional.of(quotas.usage(project));
  }
}
