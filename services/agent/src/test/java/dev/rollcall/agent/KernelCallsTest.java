package dev.rollcall.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.cgroup.CgroupMounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelCallsTest {
  private static final String V1 =
      "31 24 0:27 / /sys/fs/cgroup/freezer rw shared:9 - cgroup cgroup rw,freezer";
  private static final String V2 =
      "32 24 0:28 / /sys/fs/cgroup/unified rw shared:10 - cgroup2 cgroup2 rw";

  private static Optional<Path> hook(String root, String... mounts) {
    return KernelCalls.hook(
        Optional.of(root).filter(each -> !each.isEmpty()).map(Path::of),
        CgroupMounts.parse(List.of(mounts)));
  }

  @Test
  void programsAreAttachedInCgroup2Alone() {
    Optional<Path> top = Optional.of(Path.of("/sys/fs/cgroup/unified"));
    assertEquals(top, hook("", V1, V2));
    assertEquals(top, hook("/sys/fs/cgroup/freezer/node1", V1, V2));
    assertEquals(
        Optional.of(Path.of("/sys/fs/cgroup/unified/node1")),
        hook("/sys/fs/cgroup/unified/node1", V1, V2));
    assertEquals(Optional.empty(), hook("/sys/fs/cgroup/freezer/node1", V1));
  }

  @Test
  void aPidNamespaceIsSeen(@TempDir Path proc) throws IOException {
    Path link = Files.createDirectories(proc.resolve("self/ns")).resolve("pid");
    Files.createSymbolicLink(link, Path.of("pid:[4026531836]"));
    assertTrue(KernelCalls.hasTheKernelsPids(proc));
    Files.delete(link);
    Files.createSymbolicLink(link, Path.of("pid:[4026532999]"));
    assertFalse(KernelCalls.hasTheKernelsPids(proc));
  }
}
