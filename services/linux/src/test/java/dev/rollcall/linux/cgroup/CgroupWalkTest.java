package dev.rollcall.linux.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CgroupWalkTest {
  private final CgroupWalk walk = new CgroupWalk(_ -> false, _ -> false);

  /** As when a job ends and begins again. */
  @Test
  void whatWasGoneAndIsMadeAgainIsNotThere(@TempDir Path again) throws IOException {
    var gone = new NoSuchFileException(again.toString());
    assertEquals(FileVisitResult.CONTINUE, walk.visitFileFailed(again, gone));
  }

  @Test
  void whatIsThereAndCannotBeListedIsAnError(@TempDir Path there) {
    var denied = new AccessDeniedException(there.toString());
    assertThrows(AccessDeniedException.class, () -> walk.visitFileFailed(there, denied));
  }
}
