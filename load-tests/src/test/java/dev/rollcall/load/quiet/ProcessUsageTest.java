package dev.rollcall.load.quiet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.load.quiet.ProcessUsage.Switches;
import dev.rollcall.testkit.process.Await;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProcessUsageTest {
  @Test
  void threadsThatBeganMeanwhileCountWhole() {
    var before = new ProcessUsage(0, 0, 0, 0, 100, Map.of("1", new Switches("main", 10, 5)));
    var after =
        new ProcessUsage(
            TimeUnit.SECONDS.toNanos(30),
            0,
            0,
            TimeUnit.MILLISECONDS.toNanos(20),
            104,
            Map.of(
                "1",
                new Switches("main", 40, 5),
                "2",
                new Switches("loop", 20, 10),
                "3",
                new Switches("idle", 0, 0)));
    assertEquals(2, after.wakeUps(before));
    assertEquals(Map.of("main", 1.0, "loop", 1.0), after.byThread(before));
    assertEquals(40, after.cpuMillisPerMinute(before), 1e-9);
    assertEquals(80, after.tickMillisPerMinute(before), 1e-9);
  }

  @Test
  void aProcessIsReadAsTheKernelHasIt() throws IOException {
    Process sleeping = new ProcessBuilder("sleep", "60").start();
    try {
      Await.until(
          "sleep runs",
          () -> sleeping.info().command().filter(file -> file.endsWith("sleep")).isPresent());
      ProcessUsage usage = ProcessUsage.of(sleeping.pid());
      assertEquals(1, usage.threads());
      assertTrue(usage.shareBytes() > 0 && usage.shareBytes() <= usage.residentBytes());
    } finally {
      sleeping.destroyForcibly();
    }
  }
}
