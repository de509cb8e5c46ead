package dev.rollcall.jobs.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * What a step daemon says. The first byte of an input says what it is asked first, the others
 * follow in turn until the conversation is over; the rest is all that it says. As no root it is
 * refused at once, so this needs root to try more than that.
 */
class StepDaemonFuzzTest {
  private static final Duration WITHIN = Duration.ofSeconds(15);

  private interface Question {
    void ask(StepDaemon daemon) throws IOException;
  }

  private static final List<Question> QUESTIONS =
      List.of(
          StepDaemon::state,
          StepDaemon::uid,
          StepDaemon::gid,
          daemon -> daemon.add(42),
          StepDaemonFuzzTest::display,
          StepDaemonFuzzTest::namespaces);

  private static SaidDaemon said;

  @BeforeAll
  static void start() throws IOException {
    said = new SaidDaemon();
  }

  @AfterAll
  static void stop() throws IOException {
    said.close();
  }

  @FuzzTest
  void fuzz(byte[] input) {
    if (input.length == 0) {
      return;
    }
    byte[] words = Arrays.copyOfRange(input, 1, input.length);
    int first = input[0] & 0xff;
    try (StepDaemon daemon = StepDaemon.greet(said.saying(words), WITHIN)) {
      for (int i = 0; i < QUESTIONS.size(); i++) {
        QUESTIONS.get((first + i) % QUESTIONS.size()).ask(daemon);
      }
    } catch (IOException e) {
      assertFalse(String.valueOf(e.getMessage()).isBlank(), e::toString);
    }
  }

  private static void namespaces(StepDaemon daemon) throws IOException {
    try (var found = new StepNamespaces(Map.of())) {
      daemon.namespaces(found);
      assertEquals(found.isEmpty(), found.inOrder().isEmpty());
    }
  }

  private static void display(StepDaemon daemon) throws IOException {
    daemon
        .display()
        .authority()
        .ifPresent(path -> {
          assertFalse(path.isEmpty());
          assertTrue(path.indexOf('\0') < 0, path);
        });
  }
}
