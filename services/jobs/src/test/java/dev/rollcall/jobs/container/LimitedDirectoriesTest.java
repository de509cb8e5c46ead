package dev.rollcall.jobs.container;

import static dev.rollcall.jobs.container.ContainerRig.ALICE;
import static dev.rollcall.jobs.container.ContainerRig.BOB;
import static dev.rollcall.jobs.container.ContainerRig.job;
import static dev.rollcall.jobs.container.ContainerRig.said;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.container.ContainerRules.Disk;
import dev.rollcall.jobs.container.ContainerRules.PrivateDirectory;
import dev.rollcall.linux.quota.TreeLimit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Private directories that hold only so much. */
@Tag("root")
class LimitedDirectoriesTest {
  private static final String FILL =
      "dd if=/dev/zero of=/tmp/big bs=1M count=%d conv=fsync 2>&1 || true";

  private static void limit(ContainerRig rig, TreeLimit limit) {
    rig.directories(
        new PrivateDirectory(
            (job, user) -> Path.of("/tmp"),
            new Disk(rig.base, 0700, Optional.of(limit)),
            Set.of()));
  }

  @Test
  void aJobMayWriteSoMuchAndAnotherMayStill() throws IOException {
    try (ContainerRig rig = new ContainerRig()) {
      Path image = rig.top.resolve("image");
      said("truncate", "-s", "512M", image.toString());
      said("mkfs.btrfs", "-q", image.toString());
      said("mount", "-o", "loop,commit=1", image.toString(), rig.base.toString());
      try {
        said("btrfs", "quota", "enable", rig.base.toString());
        // It counts what is there first; until then the quotas are said to be inconsistent.
        said("btrfs", "quota", "rescan", "-W", rig.base.toString());
        limit(rig, new TreeLimit(32 << 20, OptionalLong.empty()));
        JobContainers containers = rig.open();
        containers.create(job(42), ALICE, ALICE);
        containers.create(job(43), BOB, BOB);
        String full = rig.inside(42, ALICE, FILL.formatted(100));
        assertTrue(full.contains("Disk quota exceeded"), full);
        String fits = rig.inside(43, BOB, FILL.formatted(8));
        assertTrue(fits.contains("8388608 bytes"), fits);
        assertEquals("700 " + ALICE, rig.inside(42, ALICE, "stat -c '%a %u' /tmp"));
        containers.delete(job(42), ALICE, ALICE);
        containers.delete(job(43), BOB, BOB);
        rig.awaitEmptyBase();
      } finally {
        said("umount", rig.base.toString());
      }
    }
  }

  @Test
  void aFileSystemThatCannotIsNamed() throws IOException {
    try (ContainerRig rig = new ContainerRig()) {
      limit(rig, new TreeLimit(1 << 20, OptionalLong.empty()));
      said("mount", "-t", "ramfs", "ramfs", rig.base.toString());
      try {
        said("chmod", "755", rig.base.toString());
        var refused =
            assertThrows(ContainerException.class, () -> rig.open().create(job(42), ALICE, ALICE));
        String message = String.valueOf(refused.getMessage());
        assertTrue(
            message.startsWith("container: make " + rig.base + "/42/_tmp: ")
                && message.contains("only btrfs, ext4 and XFS limit a directory"),
            message);
        rig.awaitEmptyBase();
      } finally {
        said("umount", rig.base.toString());
      }
    }
  }
}
