package dev.rollcall.linux.mount;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.PathBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MountPointsTest {
  @Test
  void theKernelAnswersAsItsTableDoes() throws IOException {
    for (String path : new String[] {"/", "/proc", "/proc/sys", "/usr", "/dev"}) {
      assertEquals(MountPoints.has(Path.of(path)), MountPoints.isRoot(Path.of(path)), path);
    }
    assertTrue(MountPoints.isRoot(Path.of("/proc")));
    assertFalse(MountPoints.isRoot(Path.of("/proc/self")));
  }

  @Test
  void whatIsNotThereIsNamed() {
    var missing =
        assertThrows(ErrnoException.class, () -> MountPoints.isRoot(Path.of("/nonexistent/x")));
    assertTrue(missing.toString().contains("/nonexistent/x"), missing::toString);
  }

  /** With a path that is another one, or none, a job that sees it read-only would not start. */
  @Test
  void aMountPointWhoseNameIsNoTextIsFoundRestrictedAndDetached(@TempDir Path directory)
      throws IOException {
    byte[] top = PathBytes.of(directory);
    byte[] name = Arrays.copyOf(top, top.length + 3);
    name[top.length] = '/';
    name[top.length + 1] = (byte) 0xff;
    name[top.length + 2] = '%';
    Path at = Files.createDirectory(PathBytes.path(name));
    Mount.tmpfs(at, EnumSet.of(MountFlag.NOSUID), "size=4k");
    try {
      assertEquals(Set.of(at), MountPoints.below(directory).keySet());
      Mount.restrict(at, EnumSet.of(MountFlag.NOSUID, MountFlag.RO));
      assertTrue(MountPoints.below(directory).get(at).contains(MountFlag.RO));
    } finally {
      assertTrue(Mount.detach(at));
    }
    assertFalse(MountPoints.has(at));
  }
}
