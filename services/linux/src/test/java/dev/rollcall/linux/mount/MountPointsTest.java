package dev.rollcall.linux.mount;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.ErrnoException;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

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
}
