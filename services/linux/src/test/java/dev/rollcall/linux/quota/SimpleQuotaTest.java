package dev.rollcall.linux.quota;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Syscall;
import dev.rollcall.linux.files.EmptiedDirectory;
import dev.rollcall.linux.files.TreeRemoval.Report;
import dev.rollcall.linux.quota.Shell.Said;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Needs Linux 6.9, which the machines that others of these tests run in do not have. */
@Tag("root")
@Tag("host")
class SimpleQuotaTest {
  private static final long LIMIT = 16 << 20;
  private static final int QUOTA_CTL = 0xC0109428;
  private static final long ENABLE_SIMPLE = 4;
  private static final long SUBVOL_CREATE_V2 = 0x50009418L;

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
    try (Descriptor top = Descriptor.open(image.mount());
        Arena arena = Arena.ofConfined()) {
      MemorySegment words = arena.allocate(16, 8);
      words.set(ValueLayout.JAVA_LONG, 0, ENABLE_SIMPLE);
      long request = Integer.toUnsignedLong(QUOTA_CTL);
      Syscall.IOCTL.check(
          "simple quotas", Syscall.IOCTL.call(top.number(), request, words.address()));
    }
    TreeQuota.make(limited, new TreeLimit(LIMIT, OptionalLong.empty()));
    image.shell().run("chown %d 42/_tmp".formatted(Shell.NOBODY));
  }

  /** struct btrfs_ioctl_vol_args_v2 with a struct btrfs_qgroup_inherit that names none. */
  private void makeSubvolumeThatIsInNoGroup(Path directory, String name) throws IOException {
    try (Descriptor at = Descriptor.open(directory);
        Arena arena = Arena.ofConfined()) {
      MemorySegment argument = arena.allocate(4096, 8);
      MemorySegment inherit = arena.allocate(72, 8);
      argument.set(ValueLayout.JAVA_LONG, 16, 4); // BTRFS_SUBVOL_QGROUP_INHERIT
      argument.set(ValueLayout.JAVA_LONG, 24, 72);
      argument.set(ValueLayout.JAVA_LONG, 32, inherit.address());
      argument.setString(56, name);
      Syscall.IOCTL.check(
          name, Syscall.IOCTL.call(at.number(), SUBVOL_CREATE_V2, argument.address()));
    }
    image.shell().run("chown %d %s".formatted(Shell.NOBODY, directory.resolve(name)));
  }

  private Shell user() {
    return Shell.user(limited);
  }

  private void isFull(Said said) {
    assertTrue(said.status() != 0 && said.text().contains("quota exceeded"), said::toString);
  }

  @Test
  void whatAUserMakesInItCountsAsPartOfIt() throws Exception {
    make();
    user()
        .run(
            "btrfs subvolume create n; btrfs subvolume create n/m;"
                + " dd if=/dev/zero of=n/m/a bs=1M count=8; dd if=/dev/zero of=b bs=1M count=4;"
                + " sync -f .; btrfs subvolume snapshot . s");
    isFull(user().tries("dd if=/dev/zero of=s/c bs=1M count=64"));
    image.shell().run("sync -f .");
    TreeUsage usage = QuotaUsage.of(limited).orElseThrow();
    assertEquals(new TreeLimit(LIMIT, OptionalLong.empty()), usage.limit());
    assertTrue(usage.bytes() > LIMIT / 2 && usage.bytes() <= LIMIT, usage::toString);
    assertEquals(new TreeQuota.Tended(0, 0), TreeQuota.tend(above));
  }

  @Test
  void aSubvolumeThatWasToGetAroundItIsTakenInAndAllCanBeRemoved() throws Exception {
    make();
    makeSubvolumeThatIsInNoGroup(limited, "n");
    user().run("dd if=/dev/zero of=n/big bs=1M count=64; btrfs subvolume snapshot -r . s");
    image.shell().run("sync -f .");
    assertTrue(QuotaUsage.of(limited).orElseThrow().bytes() < LIMIT);
    assertEquals(new TreeQuota.Tended(1, 0), TreeQuota.tend(above));
    image.shell().run("sync -f .");
    assertTrue(QuotaUsage.of(limited).orElseThrow().bytes() > LIMIT);
    isFull(user().tries("dd if=/dev/zero of=more bs=1M count=1"));
    isFull(user().tries("dd if=/dev/zero of=n/more bs=1M count=1"));

    Report report = EmptiedDirectory.empty(above, () -> true);
    assertEquals(List.of(), report.left());
    assertTrue(report.clean());
    released();
  }

  private void released() throws Exception {
    int released = 0;
    for (int tries = 0; tries < 120 && released == 0; tries++) {
      image.shell().run("sync -f .; sleep 0.5");
      released = TreeQuota.tend(image.mount()).released();
    }
    assertEquals(1, released);
    String groups = image.shell().run("btrfs qgroup show --raw . | awk 'NR > 2 { print $1 }'");
    assertEquals("0/5\n", groups);
  }

  @Test
  void whatAUserMovedElsewhereDoesNotKeepTheLimit() throws Exception {
    make();
    image.shell().run("mkdir home; chown %d home".formatted(Shell.NOBODY));
    user().run("btrfs subvolume create n; echo precious > n/file; mv n ../../home/n");
    assertTrue(EmptiedDirectory.empty(above, () -> true).clean());
    int released = 0;
    for (int tries = 0; tries < 120 && released == 0; tries++) {
      image.shell().run("sync -f .; sleep 0.5");
      released = TreeQuota.tend(image.mount()).released();
    }
    assertEquals(1, released);
    assertEquals("precious\n", Files.readString(image.mount().resolve("home/n/file")));
  }

  @Test
  void fullQuotasThatCountNothingAnyMoreAreAnError() throws Exception {
    image
        .shell()
        .run(
            "btrfs quota enable .; btrfs quota rescan -w . || true; btrfs subvolume create a;"
                + " btrfs qgroup create 1/1 .; btrfs qgroup assign 0/256 1/1 .; echo x > a/x;"
                + " sync -f .; btrfs subvolume snapshot a b; sync -f .");
    var failed =
        assertThrows(
            IOException.class,
            () -> TreeQuota.make(limited, new TreeLimit(LIMIT, OptionalLong.empty())));
    assertTrue(failed.toString().contains("btrfs quota rescan"), failed::toString);
    assertFalse(Files.exists(limited));
    var told = assertThrows(IOException.class, () -> TreeQuota.tend(above));
    assertTrue(told.toString().contains("btrfs quota rescan"), told::toString);
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
