package dev.rollcall.linux.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CgroupMountsTest {
  private static final List<String> PURE =
      List.of(
          "22 27 0:20 / /proc rw,nosuid shared:12 - proc proc rw",
          "30 23 0:26 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:4 - cgroup2 cgroup2"
              + " rw,nsdelegate,memory_recursiveprot");
  private static final List<String> HYBRID =
      List.of(
          "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755",
          "33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct",
          "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:7 master:1 - cgroup cgroup"
              + " rw,memory",
          "37 31 0:34 / /sys/fs/cgroup/freezer rw,relatime - cgroup cgroup rw,freezer",
          "40 31 0:37 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup"
              + " rw,xattr,release_agent=/lib/systemd/agent,name=systemd",
          "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw");

  @Test
  void aPureV2NodeHasOneMountAndNoControllers() {
    CgroupMounts mounts = CgroupMounts.parse(PURE);
    assertEquals(
        List.of(new CgroupMount(true, Set.of(), Path.of("/sys/fs/cgroup"), "/")), mounts.all());
    assertEquals(Optional.empty(), mounts.v1("freezer"));
  }

  @Test
  void aHybridHasBoth() {
    CgroupMounts mounts = CgroupMounts.parse(HYBRID);
    assertEquals(Path.of("/sys/fs/cgroup/unified"), mounts.v2().orElseThrow().point());
    assertEquals(Path.of("/sys/fs/cgroup/memory"), mounts.v1("memory").orElseThrow().point());
    assertEquals(mounts.v1("cpu"), mounts.v1("cpuacct"));
    assertEquals(Set.of("name=systemd"), mounts.v1("name=systemd").orElseThrow().controllers());
    assertEquals(5, mounts.all().size());
  }

  /** As in a node whose Slurm runs in a chroot, with the machine's /sys below it. */
  @Test
  void theFirstOfTwoMountsCounts() {
    CgroupMounts mounts =
        CgroupMounts.parse(
            List.of(
                "23 1 259:0 / / rw - ext4 /dev/root rw",
                "24 23 0:21 / /sys rw - sysfs sysfs rw",
                "30 24 0:25 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw",
                "208 23 0:21 / /srv/slurm/sys rw - sysfs sysfs rw",
                "210 208 0:25 / /srv/slurm/sys/fs/cgroup rw - cgroup2 cgroup2 rw"));

    assertEquals(Path.of("/sys/fs/cgroup"), mounts.v2().orElseThrow().point());
    assertEquals(Path.of("/sys/fs/cgroup"), mounts.all().getFirst().point());
    assertEquals(2, mounts.all().size());
  }

  @Test
  void aMountThatAnotherCoversCountsLast() {
    List<String> lines =
        List.of(
            "23 1 259:0 / / rw - ext4 /dev/root rw",
            "24 23 0:21 / /sys rw - sysfs sysfs rw",
            "30 24 0:25 / /sys/fs/cgroup rw - cgroup2 old rw",
            "31 30 0:26 / /sys/fs/cgroup rw - tmpfs tmpfs rw",
            "32 31 0:25 /node1 /sys/fs/cgroup/unified rw - cgroup2 new rw");

    assertEquals(
        List.of("/node1", "/"),
        CgroupMounts.parse(lines).all().stream().map(CgroupMount::root).toList());
  }

  @Test
  void aMountBelowACoveredDirectoryCountsLast() {
    List<String> lines =
        List.of(
            "23 1 259:0 / / rw - ext4 /dev/root rw",
            "24 23 0:21 / /sys rw - sysfs sysfs rw",
            "30 24 0:25 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw",
            "40 24 0:28 / /sys rw - sysfs sysfs rw",
            "41 40 0:25 /node1 /sys/fs/cgroup rw - cgroup2 cgroup2 rw");

    assertEquals("/node1", CgroupMounts.parse(lines).v2().orElseThrow().root());
  }

  /** RHEL's initramfs mounts /sys, and systemd moves it into the root that it mounts later. */
  @Test
  void aRootThatCameLaterCoversNothing() {
    List<String> lines =
        List.of(
            "22 62 0:21 / /sys rw - sysfs sysfs rw",
            "28 22 0:25 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw",
            "62 1 253:0 / / rw - xfs /dev/mapper/root rw",
            "70 62 0:25 / /srv/slurm/sys/fs/cgroup rw - cgroup2 cgroup2 rw");

    assertEquals(
        List.of(Path.of("/sys/fs/cgroup"), Path.of("/srv/slurm/sys/fs/cgroup")),
        CgroupMounts.parse(lines).all().stream().map(CgroupMount::point).toList());
  }

  @Test
  void aTableWithCirclesIsReadToItsEnd() {
    List<String> lines =
        List.of(
            "1 1 0:2 / / rw - rootfs rootfs rw",
            "2 3 0:2 / / rw - tmpfs tmpfs rw",
            "3 2 0:25 / / rw - cgroup2 cgroup2 rw");

    assertEquals(1, CgroupMounts.parse(lines).all().size());
  }

  @Test
  void aMountPointMayHoldSpacesAndIsReadFromProc(@TempDir Path proc) throws IOException {
    Files.createDirectory(proc.resolve("self"));
    Files.writeString(
        proc.resolve("self/mountinfo"), "30 23 0:26 / /my\\040cgroups rw - cgroup2 none rw\n");
    assertEquals(Path.of("/my cgroups"), CgroupMounts.read(proc).v2().orElseThrow().point());
  }

  @Test
  void linesThatAreNoneAreLeftOut() {
    assertEquals(List.of(), CgroupMounts.parse(List.of("", " - ", "1 2 3 - cgroup2 x rw")).all());
  }

  @Test
  void directoriesAndPathsTranslateBothWays() {
    CgroupMount whole = new CgroupMount(true, Set.of(), Path.of("/c"), "/");
    assertEquals("/", whole.pathOf(Path.of("/c")));
    assertEquals("/a/b", whole.pathOf(Path.of("/c/a/x/../b")));
    assertEquals(Path.of("/c/a/b"), whole.directoryOf("/a/b"));
    assertEquals(Path.of("/c"), whole.directoryOf("/"));
    CgroupMount part = new CgroupMount(false, Set.of("freezer"), Path.of("/c"), "/docker/7");
    assertEquals("/docker/7/a", part.pathOf(Path.of("/c/a")));
    assertEquals(Path.of("/c/a"), part.directoryOf("/docker/7/a"));
    assertThrows(IllegalArgumentException.class, () -> part.directoryOf("/docker/77/a"));
    assertThrows(IllegalArgumentException.class, () -> part.pathOf(Path.of("/c/../d")));
  }
}
