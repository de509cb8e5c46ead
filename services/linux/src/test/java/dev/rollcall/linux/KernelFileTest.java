package dev.rollcall.linux;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KernelFileTest {
  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4_095, 4_096, 4_097, 20_000})
  void readsAllThereIs(int size) throws IOException {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    Path file = Files.write(directory.resolve("file"), bytes);
    assertArrayEquals(bytes, KernelFile.read(file.toString()));
  }

  @Test
  void readsWhatTheKernelWritesWhileItIsAsked() throws IOException {
    String status = new String(KernelFile.read("/proc/self/status"), US_ASCII);
    assertTrue(status.contains("\nPid:\t" + ProcessHandle.current().pid() + "\n"), status);
  }

  @Test
  void takesNamesOfAnyLength() throws IOException {
    Path deep = directory;
    for (int i = 0; i < 10; i++) {
      deep = deep.resolve("d".repeat(100));
    }
    Files.createDirectories(deep);
    Path file = Files.writeString(deep.resolve("file"), "here");
    assertArrayEquals("here".getBytes(US_ASCII), KernelFile.read(file.toString()));
  }

  @Test
  void namesTheFileThatIsNotThere() {
    String name = directory.resolve("none").toString();
    var refused = assertThrows(ErrnoException.class, () -> KernelFile.read(name));
    assertTrue(refused.is(Errno.ENOENT));
    assertTrue(String.valueOf(refused.getMessage()).contains(name), refused.getMessage());
  }

  @Test
  void writesInOnePiece() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "before, and longer");
    KernelFile.write(file, "after");
    assertEquals("after", Files.readString(file));
  }
}
