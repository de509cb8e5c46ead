package dev.rollcall.linux.quota;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.files.EmptiedDirectory;
import dev.rollcall.linux.mount.Mount;
import dev.rollcall.linux.quota.Shell.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** That quotas hold is tested in the emulated machine: the kernel of others may have none. */
@Tag("root")
class ProjectQuotaTest {
  private static final boolean MACHINE = Boolean.getBoolean("rollcall.vm");
  private static final TreeLimit LIMIT = new TreeLimit(8 << 20, OptionalLong.of(100));

  @TempDir private Path temp = Path.of("/nonexistent");

  @Test
  void otherFileSystemsAreNamed() throws Exception {
    Mount.tmpfs(temp, Set.of(), "size=64k");
    try {
      Path limited = temp.resolve("_tmp");
      var refused = assertThrows(IOException.class, () -> TreeQuota.make(limited, LIMIT));
      assertEquals(
          limited
              + ": cannot be limited: its file system is tmpfs, and only btrfs, ext4 and XFS limit a"
              + " directory; set no limit, or put it on one of them",
          refused.getMessage());
      assertTrue(QuotaUsage.of(temp).isEmpty());
      assertEquals(new TreeQuota.Tended(0, 0), TreeQuota.tend(temp));
    } finally {
      Mount.detach(temp);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ext4", "ext4 -O quota,project", "ext4 -O ^quota,project"})
  void withoutTheMountOptionNothingIsMade(String kind) throws Exception {
    boolean mountable = MACHINE || !kind.contains("project");
    String options = mountable ? "rw" : "ro"; // a kernel without quotas mounts it to read alone
    try (Image image = Image.of(temp, 64, "mkfs." + kind + " -q -F", options)) {
      Path limited = (mountable ? image.above() : image.mount()).resolve("_tmp");
      var refused = assertThrows(IOException.class, () -> TreeQuota.make(limited, LIMIT));
      String why =
          mountable ? "mounted without project quotas: mount -o prjquota" : "Read-only file system";
      assertTrue(refused.toString().contains(why), refused::toString);
      assertTrue(refused.toString().contains(": " + limited + ": "), refused::toString);
      assertFalse(Files.exists(limited));
      assertTrue(QuotaUsage.of(image.mount()).isEmpty());
    }
  }

  @Test
  @Tag("emulated")
  void ofExt4TheyHold() throws Exception {
    hold(64, "mkfs.ext4 -q -F -O quota,project");
  }

  @Test
  @Tag("emulated")
  void ofXfsTheyHold() throws Exception {
    hold(320, "mkfs.xfs -q -f");
  }

  private void hold(int megabytes, String mkfs) throws Exception {
    try (Image image = Image.of(temp, megabytes, mkfs, "prjquota")) {
      Path first = image.above().resolve("_tmp");
      Path second = image.above().resolve("_var_tmp");
      TreeQuota.make(first, LIMIT);
      TreeQuota.make(second, LIMIT);
      image.shell().run("chown -R %d 42".formatted(Shell.NOBODY));
      holdsToItsSize(first);
      holdsToItsInodes(second);
      staysInItsProject(first, second);
      isToldByDeviceAsWell(first);
      ownersMayLeaveTheProject(first);
      leavesNothing(image.above(), first);
      deepDirectoriesOfOtherProjectsGo(first);
      isNotMadeInAnotherProject(image);
    }
  }

  private static void isFull(Said said) { // XFS says ENOSPC of projects
    boolean full = said.text().matches("(?s).*(quota exceeded|No space left).*");
    assertTrue(said.status() != 0 && full, said::toString);
  }

  private static void holdsToItsSize(Path limited) throws Exception {
    isFull(Shell.user(limited).tries("mkdir d; dd if=/dev/zero of=d/big bs=1M count=32"));
    TreeUsage usage = QuotaUsage.of(limited).orElseThrow();
    assertEquals(LIMIT, usage.limit());
    assertEquals(OptionalLong.of(3), usage.inodes());
    assertTrue(
        usage.bytes() > LIMIT.bytes() / 2 && usage.bytes() <= LIMIT.bytes(), usage::toString);
  }

  private static void holdsToItsInodes(Path limited) throws Exception {
    isFull(Shell.user(limited).tries("set -e; for i in {1..200}; do > $i; done"));
    assertEquals(OptionalLong.of(100), QuotaUsage.of(limited).orElseThrow().inodes());
  }

  private static void staysInItsProject(Path one, Path other) throws Exception {
    Said linked = Shell.user(one).tries("> ../outside; ln ../outside same");
    assertTrue(linked.text().contains("cross-device"), linked::toString);
    assertTrue(QuotaUsage.of(other).orElseThrow().bytes() < LIMIT.bytes() / 2, "counted apart");
  }

  private static void isToldByDeviceAsWell(Path limited) throws Exception {
    try (Descriptor open = Descriptor.open(limited)) {
      int project = ProjectAttributes.of(open).project();
      assertTrue(project >= Projects.FIRST && project < Projects.FIRST + Projects.COUNT);
      assertEquals(new Quotactl(open).usage(project), new Quotactl(open, false).usage(project));
    }
  }

  /** What {@link TreeQuota} says: the kernel lets them. */
  private static void ownersMayLeaveTheProject(Path limited) throws Exception {
    Shell.user(limited).run("chattr -p 0 d/big; dd if=/dev/zero of=d/more bs=1M count=4");
    assertEquals(OptionalLong.of(3), QuotaUsage.of(limited).orElseThrow().inodes());
  }

  private static void leavesNothing(Path above, Path first) throws Exception {
    assertTrue(EmptiedDirectory.empty(above, () -> true).clean());
    TreeQuota.make(first, LIMIT);
    TreeUsage usage = QuotaUsage.of(first).orElseThrow();
    assertEquals(OptionalLong.of(1), usage.inodes());
  }

  private static void deepDirectoriesOfOtherProjectsGo(Path limited) throws Exception {
    Shell.root(limited)
        .run(
            "perl -e 'for (1..90) { mkdir \"d\"; chdir \"d\" or die;"
                + " system(\"chattr -p $_ .\") and die }'");
    assertTrue(EmptiedDirectory.empty(limited, () -> true).clean());
  }

  private static void isNotMadeInAnotherProject(Image image) throws Exception {
    Path above = Files.createDirectory(image.mount().resolve("43"));
    image.shell().run("chattr +P -p 7 43");
    Path limited = above.resolve("_tmp");
    var refused = assertThrows(IOException.class, () -> TreeQuota.make(limited, LIMIT));
    assertTrue(refused.toString().contains("chattr -P " + above), refused::toString);
    assertFalse(Files.exists(limited));
  }
}
