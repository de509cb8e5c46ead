package dev.rollcall.linux.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("try") // locks are let go of in the middle
class OpenFileLockTest {
  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void make() throws IOException {
    file = Files.createFile(directory.resolve("lock"));
  }

  @Test
  void itExcludesThisProcessTooUntilItIsClosed() throws ErrnoException {
    OpenFileLock first = OpenFileLock.tryExclusive(file).orElseThrow();
    assertEquals(Optional.empty(), OpenFileLock.tryExclusive(file));
    first.close();
    first.close();
    OpenFileLock.tryExclusive(file).orElseThrow().close();
  }

  @Test
  void itOutlivesOtherDescriptorsOfTheFile() throws IOException {
    try (OpenFileLock held = OpenFileLock.tryExclusive(file).orElseThrow()) {
      Descriptor.open(file).close();
      assertEquals(Optional.empty(), OpenFileLock.tryExclusive(file));
      held.close();
    }
    OpenFileLock.tryExclusive(file).orElseThrow().close();
  }

  @Test
  void itExcludesLocksOfTheProcess() throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      assertTrue(lock.isValid());
      assertEquals(Optional.empty(), OpenFileLock.tryExclusive(file));
    }
    OpenFileLock.tryExclusive(file).orElseThrow().close();
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    ErrnoException failed =
        assertThrows(
            ErrnoException.class, () -> OpenFileLock.tryExclusive(directory.resolve("none")));
    assertTrue(failed.is(Errno.ENOENT));
    assertTrue(String.valueOf(failed.getMessage()).contains("none"), failed.getMessage());
  }
}
