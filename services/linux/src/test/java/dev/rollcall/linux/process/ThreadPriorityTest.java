package dev.rollcall.linux.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class ThreadPriorityTest {
  @Test
  void oneThreadHasTheLowestAndTheOthersTheirOwn()
      throws IOException, InterruptedException, ExecutionException {
    String before = nice();
    var task =
        new FutureTask<>(() -> {
          ThreadPriority.lowest();
          return nice();
        });
    Thread.ofPlatform().start(task);
    assertEquals("19", task.get());
    assertEquals(before, nice());
  }

  /** Field 19 of proc_pid_stat(5); the command, field 2, may have spaces. */
  private static String nice() throws IOException {
    String stat = Files.readString(Path.of("/proc/thread-self/stat"));
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16];
  }
}
