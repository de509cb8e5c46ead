package dev.rollcall.wire.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DeadThreadTest {
  private final List<Integer> ended = new CopyOnWriteArrayList<>();
  private final DeadThread handler = new DeadThread(ended::add);

  private void die(Thread.Builder thread) throws InterruptedException {
    thread
        .name("its-name")
        .uncaughtExceptionHandler(handler)
        .start(() -> {
          throw new InternalError("a page of a mapping is gone");
        })
        .join();
  }

  @Test
  void aThreadOfItsOwnEndsTheProcess() throws InterruptedException {
    die(Thread.ofPlatform());
    assertEquals(List.of(DeadThread.STATUS), ended);
  }

  /** A process whose main thread would go on. */
  static final class Dying {
    private Dying() {}

    public static void main(String[] none) throws InterruptedException {
      LogLine.begin();
      DeadThread.begin();
      Thread.ofPlatform()
          .name("its-name")
          .daemon()
          .start(() -> {
            throw new InternalError("a page of a mapping is gone");
          });
      Thread.sleep(Duration.ofMinutes(1));
    }
  }

  @Test
  void theProcessEndsAndSaysWhy() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Dying.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertEquals(DeadThread.STATUS, process.waitFor(), said);
    assertTrue(said.contains("its-name died: java.lang.InternalError: a page of a mapping"), said);
  }

  @Test
  void aTaskOfManyEndsNothing() throws InterruptedException {
    die(Thread.ofVirtual());
    assertEquals(List.of(), ended);
  }
}
