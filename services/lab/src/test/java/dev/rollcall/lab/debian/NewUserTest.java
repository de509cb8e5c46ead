package dev.rollcall.lab.debian;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.lab.demo.Scenes;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.docs.RunsOn;
import dev.rollcall.testkit.process.Running;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Builds Rollcall and plays the demo as a new user does, in a chroot with nothing but a minimal
 * Debian and what the launcher gets there: a JDK, compilers, OpenSSH and Slurm. A build and its
 * scenes take two cores minutes for each, so they are of the full counts.
 */
@RunsOn(
    system = "Debian 12, a minimal chroot without a JDK",
    kernel = "6.18",
    tests = "the build, and the demo")
@RunsOn(
    system = "Debian 13, a minimal chroot",
    kernel = "6.18",
    slurm = "24.11",
    tests = "the build, and the demo with and without Slurm")
@RunsOn(
    system = "Debian sid, a minimal chroot",
    kernel = "6.18",
    slurm = "26.05",
    tests = "the build, and the demo with and without Slurm")
@Tag("machine")
@Tag("full")
class NewUserTest {
  private static final Path SCRIPT = SourceTree.ROOT.resolve("services/lab/debian-root.sh");
  private static final Duration WITHIN = Duration.ofMinutes(30);
  private static final int SCENES = Scenes.all().size() + Scenes.withGateways(2).size();
  private static final int SLURM_SCENES = 22;

  /** It has no JDK 25: the launcher unpacks Debian 13's. */
  @Test
  void debian12WithoutAJdkBuildsAndPlaysTheDemo() {
    played(SCENES, in("bookworm", "./rollcall", "demo", "--once"));
  }

  @Test
  void debian13BuildsAndPlaysTheDemo() {
    played(SCENES, in("trixie", "./rollcall", "demo", "--once"));
  }

  @Test
  void sidBuildsAndPlaysTheDemo() {
    played(SCENES, in("sid", "./rollcall", "demo", "--once"));
  }

  /** In a chroot, or here if this system has that Slurm. */
  @ParameterizedTest
  @ValueSource(strings = {"22.05", "24.11", "26.05"})
  void theDemoIsPlayedWithEachSlurm(String version) {
    String launcher = SourceTree.ROOT.resolve("rollcall").toString();
    played(SLURM_SCENES, List.of(launcher, "demo", "--slurm", version, "--once"));
  }

  private static List<String> in(String release, String... command) {
    var words = new ArrayList<>(List.of("bash", SCRIPT.toString(), release));
    words.add(SourceTree.ROOT.toString());
    words.addAll(List.of(command));
    return words;
  }

  private static void played(int scenes, List<String> words) {
    var run = Running.run(WITHIN, words);
    String said = run.out() + run.err();
    List<String> played = said.lines().filter(line -> line.matches("(ok|DIFFERS) .*")).toList();
    assertEquals(scenes, played.size(), said);
    assertEquals(List.of(), played.stream().filter(line -> !line.startsWith("ok ")).toList(), said);
    assertEquals(0, run.exit(), said);
  }
}
