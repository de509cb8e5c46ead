package dev.rollcall.linux.process;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class JavaFilesTest {
  private static final long MIB = 1 << 20;

  @Test
  void theLibraryOfTheJvmLeavesTheResidentSetAndReturnsWhenItIsUsed() throws IOException {
    long before = fileBytes();

    assertTrue(JavaFiles.release() > MIB);

    assertTrue(fileBytes() < before - MIB, () -> "before: " + before);
    System.gc();
    assertTrue(Thread.currentThread().isAlive());
  }

  /** Resident pages of files, proc_pid_status(5). */
  private static long fileBytes() throws IOException {
    List<String> lines = Files.readAllLines(Path.of("/proc/self/status"));
    String kib =
        lines.stream().filter(line -> line.startsWith("RssFile:")).findFirst().orElseThrow();
    return Long.parseLong(kib.replaceAll("\\D", "")) * 1024;
  }
}
