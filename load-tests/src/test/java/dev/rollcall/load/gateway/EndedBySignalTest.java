package dev.rollcall.load.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndedBySignalTest {
  private static final int WITHIN_SECONDS = 60;

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  void aBenchmarkTakesWhatItStartedAlong(String signal, int status)
      throws IOException, InterruptedException {
    Process bench =
        // A build in the background of a shell ignores SIGINT, and so does what it starts.
        new ProcessBuilder(
                "env",
                "--default-signal=INT",
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Waiting.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (var said =
        new BufferedReader(new InputStreamReader(bench.getInputStream(), StandardCharsets.UTF_8))) {
      String[] words = Objects.requireNonNull(said.readLine(), "it says nothing").split(" ", 2);
      ProcessHandle started = ProcessHandle.of(Long.parseLong(words[0])).orElseThrow();
      assertTrue(started.isAlive() && Files.exists(Path.of(words[1], "file")));
      new ProcessBuilder("kill", "-" + signal, Long.toString(bench.pid())).start().waitFor();
      assertTrue(bench.waitFor(WITHIN_SECONDS, TimeUnit.SECONDS), "it goes on");
      assertEquals(status, bench.exitValue());
      assertFalse(started.isAlive(), "what it started goes on");
      assertFalse(Files.exists(Path.of(words[1])), "its directory is there");
    } finally {
      bench.destroyForcibly();
    }
  }
}
