package dev.rollcall.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.testkit.process.RigException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@Tag("root")
class HostCheckTest {
  @Test
  void thisMachineHasAllThatAClusterNeeds() {
    assertDoesNotThrow(HostCheck::check);
  }

  @Test
  void aContainerWithoutRightsIsToldSoInOneLine() {
    String said = failure(() -> HostCheck.nodes("setpriv", "--bounding-set", "-sys_admin"));
    assertTrue(said.contains("unshare failed: Operation not permitted"), said);
    assertTrue(said.contains("podman run --privileged"), said);
    assertEquals(1, said.lines().count(), said);
  }

  @Test
  void aReadOnlyCgroupMountIsNamed() {
    // /proc takes no new directories: as a read-only mount, it refuses them.
    String said = failure(() -> HostCheck.cgroups(Path.of("/proc")));
    assertTrue(said.startsWith("no cgroup can be made in /proc: "), said);
  }

  private static String failure(Executable check) {
    return String.valueOf(assertThrows(RigException.class, check).getMessage());
  }
}
