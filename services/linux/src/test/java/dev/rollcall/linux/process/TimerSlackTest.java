package dev.rollcall.linux.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("root")
class TimerSlackTest {
  private static final String LATER = Long.toString(TimerSlack.SLACK.toNanos());

  @Test
  void onlyThreadsOfTheJvmWakeLater() throws IOException {
    TimerSlack.ofJvmThreads();
    Set<String> later = new HashSet<>();
    for (Path task : tasks()) {
      String name = Files.readString(task.resolve("comm")).strip();
      String slack = Files.readString(Path.of("/proc/" + task.getFileName() + "/timerslack_ns"));
      if (slack.strip().equals(LATER)) {
        later.add(name);
      }
    }
    assertEquals(TimerSlack.THREADS, later);
  }

  private static List<Path> tasks() throws IOException {
    try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
      return tasks.toList();
    }
  }
}
