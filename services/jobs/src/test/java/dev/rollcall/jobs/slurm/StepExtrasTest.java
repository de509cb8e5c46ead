package dev.rollcall.jobs.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** As root, or the daemon that is played is refused. */
@Tag("root")
class StepExtrasTest {
  private static final String HELLO = "> 002d0000";

  @TempDir private Path directory = Path.of("");

  private Optional<StepExtras> ask(String... script) throws IOException {
    Path socket = directory.resolve("node1_1.4294967292");
    try (var _ = new ScriptedDaemon(socket, List.of(script))) {
      return StepExtras.ask(socket, Duration.ofSeconds(5));
    }
  }

  @Test
  void aJobWithoutDisplayAndContainerNeedsNothing() throws IOException {
    Optional<StepExtras> asked =
        ask(HELLO, "< 00260000", "> 17000000", "< 00000000 00000000", "> 1a000000", "< 00000000");
    assertEquals(Optional.of(new StepExtras(38, false, false)), asked);
    assertTrue(asked.get().none());
  }

  @Test
  void aDisplayIsNeededOfTheDaemon() throws IOException {
    Optional<StepExtras> asked =
        ask(HELLO, "< 002d0000", "> 17000000", "< 0b000000 00000000", "> 1c000000", "< 00000000");
    assertEquals(Optional.of(new StepExtras(45, true, false)), asked);
    assertFalse(asked.get().none());
  }

  @Test
  void namespacesAreNeededOfTheDaemon() throws IOException {
    Optional<StepExtras> asked =
        ask(
            HELLO,
            "< 002d0000",
            "> 17000000",
            "< 00000000 00000000",
            "> 1c000000",
            "< 01000000",
            "< 00000200",
            "< /proc/self/ns/mnt");
    assertEquals(Optional.of(new StepExtras(45, false, true)), asked);
    assertFalse(asked.get().none());
  }

  @Test
  void ofAReleaseThatIsNotKnownEverythingIs() {
    assertFalse(new StepExtras(37, false, false).none());
    assertFalse(new StepExtras(46, false, false).none());
    assertFalse(new StepExtras(45, false, true).none());
  }

  @Test
  void onlyLaterReleasesNeedAFirstProcessAndOnlyForJobsWithoutOtherNeeds() {
    assertTrue(new StepExtras(45, false, false).needsFirstProcess());
    assertFalse(new StepExtras(42, false, false).needsFirstProcess());
    assertFalse(new StepExtras(45, false, true).needsFirstProcess());
    assertFalse(new StepExtras(45, true, false).needsFirstProcess());
  }

  @Test
  void aDaemonThatHangsUpHasSaidNothing() throws IOException {
    assertEquals(Optional.empty(), ask(HELLO, "< 00260000", "> 17000000"));
  }
}
