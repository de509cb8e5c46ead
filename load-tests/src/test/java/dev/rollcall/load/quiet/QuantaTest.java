package dev.rollcall.load.quiet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.testkit.process.Running;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuantaTest {
  @TempDir private Path directory;

  @Test
  void secondsAreToldInMicroseconds() {
    Quanta.Seconds seconds = Quanta.parse("1500 700\n2000 2000\n");
    assertEquals(List.of(1.5, 2.0), seconds.lost());
    assertEquals(List.of(0.7, 2.0), seconds.longest());
  }

  @Test
  void aStopIsSeenAsADelayOfTheSameLength() {
    Path program = Quanta.compiledIn(directory).program();
    String script = "\"$0\" 2 & sleep 0.5; kill -STOP $!; sleep 0.3; kill -CONT $!; wait $!";
    String printed =
        Running.run(Duration.ofMinutes(1), List.of("sh", "-c", script, program.toString()))
            .outOrThrow("the quanta");
    Quanta.Seconds seconds = Quanta.parse(printed);
    assertEquals(2, seconds.lost().size(), printed);
    double longest = seconds.longest().stream().mapToDouble(Double::doubleValue).max().orElse(0);
    assertTrue(longest >= 250_000, printed);
    double lost = seconds.lost().stream().mapToDouble(Double::doubleValue).max().orElse(0);
    assertTrue(lost >= longest, printed);
  }
}
