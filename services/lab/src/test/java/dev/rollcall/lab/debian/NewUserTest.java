package dev.rollcall.lab.debian;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.process.Running;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Builds Rollcall and plays the demo as a new user does, in a chroot with nothing but a minimal
 * Debian and what the launcher installs there: its JDK, compilers, OpenSSH and Slurm. A build and
 * its scenes take two cores minutes for each, so they are of the full counts.
 */
@Tag("machine")
@Tag("full")
class NewUserTest {
  private static final Path SCRIPT =
      Path.of("src/test/resources/dev/rollcall/lab/debian/root.sh").toAbsolutePath();
  private static final Duration WITHIN = Duration.ofMinutes(30);
  private static final int SCENES = 26;
  private static final int SLURM_SCENES = 22;

  @Test
  void debian13BuildsAndPlaysTheDemo() {
    played("trixie", SCENES, "./rollcall demo --once");
  }

  @Test
  void debian13PlaysTheDemoWithSlurm() {
    played("trixie", SLURM_SCENES, "./rollcall demo --slurm --once");
  }

  @Test
  void sidBuildsAndPlaysTheDemo() {
    played("sid", SCENES, "./rollcall demo --once");
  }

  @Test
  void sidPlaysTheDemoWithSlurm() {
    played("sid", SLURM_SCENES, "./rollcall demo --slurm --once");
  }

  private static void played(String release, int scenes, String command) {
    var run =
        Running.run(
            WITHIN,
            List.of("bash", SCRIPT.toString(), release, SourceTree.ROOT.toString(), command));
    String said = run.out() + run.err();
    List<String> played = said.lines().filter(line -> line.matches("(ok|DIFFERS) .*")).toList();
    assertEquals(scenes, played.size(), said);
    assertEquals(List.of(), played.stream().filter(line -> !line.startsWith("ok ")).toList(), said);
    assertEquals(0, run.exit(), said);
  }
}
