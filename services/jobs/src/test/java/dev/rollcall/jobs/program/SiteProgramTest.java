package dev.rollcall.jobs.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteProgramTest {
  private static final int MANY = 120;
  private static final int AT_ONCE = 16;

  @TempDir private Path directory;

  private Path program(String text) throws IOException {
    Path file = directory.resolve("program");
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    return file;
  }

  private static String run(Path program) throws IOException {
    return SiteProgram.run(program, Map.of(), Duration.ofSeconds(30));
  }

  @Test
  void whatAProcessSaysThatItLeavesIsWaitedForALittle() throws IOException {
    assertEquals("soon\nlate", run(program("(sleep 0.05; echo late) & echo soon")));
  }

  @Test
  void oneThatSaysMoreThanIsKeptIsHeardToItsEnd() throws IOException {
    String said = run(program("yes 0123456789 | head -n 300000; echo end"));
    assertEquals(4_096, said.length());
    assertTrue(said.endsWith("0123456789\nend"), said);
  }

  @Test
  void processesThatProgramsLeaveKeepABoundedNumberOfThreads() throws Exception {
    Path program = program("sleep 600 & echo $!");
    List<ProcessHandle> left = new ArrayList<>();
    int before = threads();
    try (ExecutorService workers = Executors.newFixedThreadPool(AT_ONCE)) {
      List<Future<String>> said = new ArrayList<>();
      for (int each = 0; each < MANY; each++) {
        said.add(workers.submit(() -> run(program)));
      }
      for (Future<String> each : said) {
        ProcessHandle.of(Long.parseLong(each.get())).ifPresent(left::add);
      }
      assertEquals(MANY, left.size());
      int more = threads() - before;
      // Besides the workers, as many of the JVM's wait for the ends of processes.
      assertTrue(more <= ProgramOutput.MOST_LEFT + 3 * AT_ONCE, () -> more + " threads more");
    } finally {
      left.forEach(ProcessHandle::destroyForcibly);
    }
  }

  private static int threads() throws IOException {
    try (var tasks = Files.list(Path.of("/proc/self/task"))) {
      return (int) tasks.count();
    }
  }
}
