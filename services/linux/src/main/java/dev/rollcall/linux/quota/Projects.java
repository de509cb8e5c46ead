package dev.rollcall.linux.quota;

import dev.rollcall.linux.Descriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Directories with a project of their own. Its number is free when nothing is counted for it: so a
 * removed directory leaves nothing to be released, and its limit is overwritten some day.
 */
final class Projects {
  /** The first of our numbers, 1380712448. Administrators' are small, or of user ids. */
  static final int FIRST = 0x524C_0000;

  /** How many there are. */
  static final int COUNT = 1 << 16;

  private static final Quotactl.Usage NOTHING = new Quotactl.Usage(0, 0);

  private static int next;

  private Projects() {}

  /** As {@link TreeQuota#make}, and the caller puts the path before the message. */
  static void make(Path directory, TreeLimit limit) throws IOException {
    var ownersAlone = PosixFilePermissions.fromString("rwx------");
    Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(ownersAlone));
    try (Descriptor made = Descriptor.open(directory)) {
      var quotas = new Quotactl(made);
      if (!quotas.limits()) {
        throw new IOException(
            "its file system is mounted without project quotas: mount -o prjquota,"
                + " on ext4 made with mkfs.ext4 -O quota,project");
      }
      choose(made, quotas, limit);
    }
  }

  private static synchronized void choose(Descriptor made, Quotactl quotas, TreeLimit limit)
      throws IOException {
    for (int tries = 0; tries < COUNT; tries++) {
      int project = FIRST + next;
      next = (next + 1) % COUNT;
      if (quotas.usage(project).equals(NOTHING)) {
        quotas.limit(project, limit);
        var wanted = new ProjectAttributes(project, true);
        wanted.set(made);
        if (!ProjectAttributes.of(made).equals(wanted)) {
          throw new IOException("project " + project + " does not stay with it");
        }
        if (quotas.usage(project).inodes() == 1) {
          return;
        } // else another process chose it at the same time
      }
    }
    throw new IOException(
        "all projects from %d to %d are in use".formatted(FIRST, FIRST + COUNT - 1));
  }
}
