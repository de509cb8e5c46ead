package dev.rollcall.linux.quota;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.files.EmptiedDirectory;
import dev.rollcall.linux.files.TreeRemoval.Left;
import dev.rollcall.linux.files.TreeRemoval.Report;
import dev.rollcall.linux.quota.Shell.Said;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("root")
class FullQuotaTest {
  private static final long LIMIT = 16 << 20;

  @TempDir private Path temp = Path.of("/nonexistent");
  private Image image = new Image(temp, temp);
  private Path above = temp;
  private Path limited = temp;

  @BeforeEach
  void mount() throws Exception {
    image = Image.btrfs(temp);
    above = image.above();
    limited = above.resolve("_tmp");
  }

  @AfterEach
  void unmount() throws Exception {
    image.close();
  }

  private void make() throws Exception {
    image.shell().run("btrfs quota enable .; btrfs quota rescan -w . || true");
    TreeQuota.make(limited, new TreeLimit(LIMIT, OptionalLong.empty()));
    image.shell().run("chown %d 42/_tmp".formatted(Shell.NOBODY));
  }

  private Shell user() {
    return Shell.user(limited);
  }

  private void isFull(Said said) {
    assertTrue(said.status() != 0 && said.text().contains("quota exceeded"), said::toString);
  }

  @Test
  void quotasThatAreOffAreAnErrorAndNothingIsMade() throws Exception {
    var off =
        assertThrows(
            IOException.class,
            () -> TreeQuota.make(limited, new TreeLimit(LIMIT, OptionalLong.empty())));
    assertEquals(
        limited
            + ": cannot be limited: quotas of its file system are off: btrfs quota enable --simple",
        off.getMessage());
    try (Stream<Path> made = Files.list(above)) {
      assertEquals(List.of(), made.toList());
    }
    assertEquals(new TreeQuota.Tended(0, 0), TreeQuota.tend(above));
    assertTrue(QuotaUsage.of(above).isEmpty());
  }

  @Test
  void aLimitOfInodesIsAnError() throws Exception {
    var refused =
        assertThrows(
            IOException.class,
            () -> TreeQuota.make(limited, new TreeLimit(LIMIT, OptionalLong.of(1000))));
    assertEquals(
        limited + ": cannot be limited: btrfs limits no inodes, and 1000 are asked for",
        refused.getMessage());
    assertFalse(Files.exists(limited));
  }

  @Test
  void aUserIsHeldToTheLimit() throws Exception {
    make();
    assertEquals(
        "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(limited)));
    isFull(user().tries("dd if=/dev/zero of=big bs=1M count=64"));
    assertTrue(Files.size(limited.resolve("big")) < LIMIT);
    image.shell().run("dd if=/dev/zero of=42/elsewhere bs=1M count=32; sync -f .");
    TreeUsage usage = QuotaUsage.of(limited).orElseThrow();
    assertEquals(new TreeLimit(LIMIT, OptionalLong.empty()), usage.limit());
    assertTrue(usage.bytes() > LIMIT / 2 && usage.bytes() <= LIMIT, usage::toString);
    assertTrue(QuotaUsage.of(above).isEmpty());
  }

  @Test
  void whatIsThereIsNotTouched() throws Exception {
    make();
    user().run("echo precious > file");
    assertThrows(
        FileAlreadyExistsException.class,
        () -> TreeQuota.make(limited, new TreeLimit(LIMIT, OptionalLong.empty())));
    assertEquals("precious\n", Files.readString(limited.resolve("file")));
    try (Stream<Path> made = Files.list(above)) {
      assertEquals(List.of(limited), made.toList());
    }
  }

  @Test
  void aUsersSubvolumesTakeNothingMoreWhenTended() throws Exception {
    make();
    user()
        .run("btrfs subvolume create n; btrfs subvolume create n/m; btrfs subvolume snapshot . s");
    user().run("dd if=/dev/zero of=n/m/big bs=1M count=32; sync -f .");
    assertEquals(new TreeQuota.Tended(3, 0), TreeQuota.tend(above));
    isFull(user().tries("dd if=/dev/zero of=n/m/more bs=1M count=1"));
    isFull(user().tries("dd if=/dev/zero of=s/more bs=1M count=1"));
    user().run("dd if=/dev/zero of=own bs=1M count=1; rm n/m/big");
    assertEquals(new TreeQuota.Tended(0, 0), TreeQuota.tend(above));
  }

  @Test
  void allOfItIsRemovedAndItsGroupsAreReleased() throws Exception {
    make();
    user()
        .run(
            "echo x > file; btrfs subvolume create n; btrfs subvolume snapshot -r . n/readonly;"
                + " btrfs subvolume create n/empty; btrfs property set n/empty ro true;"
                + " perl -e 'chdir \"n\"; for (1..150) { mkdir \"d\"; chdir \"d\" or die }'");
    TreeQuota.tend(above);
    user().tries("btrfs property set . ro true");
    Report report = EmptiedDirectory.empty(above, () -> true);
    assertEquals(List.of(), report.left());
    assertTrue(report.clean());
    released();
  }

  /** btrfs's cleaner runs after a commit, which is every second here. */
  private void released() throws Exception {
    int released = 0;
    for (int tries = 0; tries < 120 && released == 0; tries++) {
      image.shell().run("sync -f .; sleep 0.5");
      released = TreeQuota.tend(image.mount()).released();
    }
    assertEquals(1, released);
    String groups = image.shell().run("btrfs qgroup show --raw . | awk 'NR > 2 { print $1 }'");
    assertFalse(groups.contains("21068/"), groups);
    assertFalse(groups.contains("0/256"), groups);
  }

  @Test
  void subvolumesAtAnyDepthWithDirectoriesAtAnyDepth() throws Exception {
    make();
    user()
        .run(
            "perl -e 'for my $part (1..4) { for (1..45) { mkdir \"d\"; chdir \"d\" or die }"
                + " system(\"btrfs subvolume create v >/dev/null\") and die; chdir \"v\" or die }"
                + " for (1..100) { mkdir \"e\"; chdir \"e\" or die }'");
    Report report = EmptiedDirectory.empty(above, () -> true);
    assertEquals(List.of(), report.left());
    assertTrue(report.clean());
    assertFalse(Files.exists(limited));
  }

  @Test
  void aMountInASubvolumeIsNotCrossed() throws Exception {
    make();
    Path outside = Files.createDirectory(image.mount().resolve("outside"));
    Files.writeString(outside.resolve("precious"), "all of it");
    user().run("mkdir -p a/bound a/whole; btrfs subvolume create n; echo x > n/file");
    image.shell().run("btrfs subvolume create other; echo precious > other/file");
    image.shell().run("mount --bind outside 42/_tmp/a/bound; mount --bind other 42/_tmp/a/whole");
    try {
      Report report = EmptiedDirectory.empty(above, () -> true);
      assertEquals(
          List.of("something is mounted there", "something is mounted there"),
          report.left().stream().map(Left::reason).toList());
      assertFalse(Files.exists(limited.resolve("n")));
      assertEquals("all of it", Files.readString(outside.resolve("precious")));
      assertEquals("precious\n", Files.readString(image.mount().resolve("other/file")));
    } finally {
      image.shell().run("umount 42/_tmp/a/bound 42/_tmp/a/whole");
    }
    assertTrue(EmptiedDirectory.empty(above, () -> true).clean());
  }

  @Test
  void evenALimitOfNothingLeavesAllOrNothing() throws Exception {
    make();
    Path tiny = above.resolve("tiny");
    TreeQuota.make(tiny, new TreeLimit(1, OptionalLong.empty()));
    image.shell().run("sync -f .");
    isFull(image.shell().tries("dd if=/dev/zero of=42/tiny/big bs=1M count=1"));
    assertTrue(EmptiedDirectory.empty(tiny, () -> true).clean());
    assertTrue(EmptiedDirectory.empty(above, () -> true).clean());
  }
}
