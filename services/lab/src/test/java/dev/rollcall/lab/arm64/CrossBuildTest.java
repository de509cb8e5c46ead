package dev.rollcall.lab.arm64;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.docs.RunsOn;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cross-builds the programs in C for arm64 and runs their tests under qemu-user: half a minute. */
@RunsOn(
    system = "Debian 12, by qemu-user",
    architecture = "aarch64, emulated",
    kernel = "6.18",
    tests = "the programs in C, without those that need namespaces")
@Tag("machine")
@Tag("full")
class CrossBuildTest {
  private static String report = "";

  @BeforeAll
  static void buildAndCheck() {
    String cross = SourceTree.ROOT.resolve("services/arm64/cross").toString();
    report = run(cross, "check");
  }

  /** The least numbers show a program that was left out by mistake. */
  @ParameterizedTest
  @CsvSource({"pam, 650, 2", "container, 90, 0", "brief, 150, 0"})
  void itsTestsHoldOnArm64(String module, int least, int notEmulated) {
    var line =
        Pattern.compile(
            "^%s on arm64: (\\d+) checks held in \\d+ programs, (\\d+) that qemu-user cannot run, 0 failed,"
                .formatted(module),
            Pattern.MULTILINE);
    var found = line.matcher(report);
    assertTrue(found.find(), report);
    assertTrue(Integer.parseInt(found.group(1)) >= least, report);
    assertEquals(notEmulated, Integer.parseInt(found.group(2)), report);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pam/target/arm64/pam_rollcall.so",
        "container/target/arm64/rollcall-namespaces",
        "container/target/arm64/rollcall-enter",
        "container/target/arm64/rollcall-step",
        "brief/target/arm64/rollcall-brief"
      })
  void whatIsBuiltIsOfArm64(String file) {
    String header = run("readelf", "--file-header", built(file).toString());
    assertTrue(header.matches("(?s).*Machine: +AArch64\n.*"), header);
  }

  /** Packages need glibc 2.28 at most; a plain build needs 2.34. */
  @Test
  void theCommandNeedsNoGlibcAfter228() {
    String symbols =
        run(
            "readelf",
            "-W",
            "--version-info",
            built("brief/target/arm64/rollcall-brief").toString());
    var newer = Pattern.compile("GLIBC_2\\.(29|[3-9]\\d)\\b").matcher(symbols);
    assertTrue(!newer.find(), symbols);
  }

  private static Path built(String file) {
    return SourceTree.ROOT.resolve("services").resolve(file);
  }

  private static String run(String... command) {
    Result result = Running.run(Patience.ofSeconds(300), List.of(command));
    return result.outOrThrow(String.join(" ", command));
  }
}
