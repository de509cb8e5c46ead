package dev.rollcall.cli.ask;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeLimitTest {
  private static final Duration WITHIN = Duration.ofSeconds(60);

  private static String run(String script) throws IOException {
    return TimeLimit.run(List.of("sh", "-c", script), WITHIN);
  }

  @Test
  void readsOneMebibyte() throws IOException {
    assertEquals(1 << 20, run("head -c 1048576 /dev/zero").length());
  }

  /** The last one has left the process that is waited for. */
  @ParameterizedTest
  @ValueSource(strings = {"yes", "head -c 1048577 /dev/zero", "sh -c yes & wait", "setsid yes"})
  void endsACommandThatWritesMore(String script) {
    IOException refused = assertThrows(IOException.class, () -> run(script));
    assertEquals("cannot read its output: more than 1048576 bytes", refused.getMessage());
  }

  @Test
  void endsACommandWhoseErrorsAreMore() {
    IOException refused = assertThrows(IOException.class, () -> run("yes >&2"));
    assertEquals("cannot read its output: more than 1048576 bytes", refused.getMessage());
  }
}
