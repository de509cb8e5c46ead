package dev.rollcall.lab.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.rollcall.testkit.docs.RunsOn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is said to hold, on systemd and real controllers. */
@RunsOn(
    system = "Debian 12, an emulated machine",
    kernel = "6.1",
    tests = "systemd, cgroup v2 with all controllers, scenes of a node")
@RunsOn(
    system = "Debian 12, an emulated machine",
    kernel = "6.1",
    slurm = "22.05",
    tests = "all scenes of a node, with Slurm's jobs among them",
    options = "--full")
@RunsOn(
    system = "Debian 12, an emulated machine",
    kernel = "6.12",
    tests = "the same as with 6.1",
    options = "-- -Drollcall.vm.kernel=6.12")
@Tag("vm")
@ExtendWith(Booted.Once.class)
class VmTest {
  private static final Pattern SUITE =
      Pattern.compile(
          "<testsuite [^>]*tests=\"(\\d+)\"[^>]*failures=\"(\\d+)\"[^>]*errors=\"(\\d+)\"");

  @TestFactory
  Stream<DynamicTest> everySceneHolds(Booted machine) {
    return Booted.SCENES.stream().map(scene -> dynamicTest(scene, () -> machine.assertHeld(scene)));
  }

  @TestFactory
  Stream<DynamicTest> everyTestOfAModuleHolds(Booted machine) {
    return Booted.MODULES.stream()
        .map(module -> dynamicTest(module, () -> testsHold(module, machine)));
  }

  private static void testsHold(String module, Booted machine) throws IOException {
    Path report =
        machine
            .results()
            .resolve(VmTests.REPORTS)
            .resolve(module)
            .resolve("TEST-junit-jupiter.xml");
    String text = Files.readString(report);
    Matcher suite = SUITE.matcher(text);
    assertTrue(suite.find(), () -> report + " begins with " + text.lines().limit(3).toList());
    assertTrue(Integer.parseInt(suite.group(1)) > 0, "no test was run");
    assertEquals(List.of("0", "0"), List.of(suite.group(2), suite.group(3)), () -> failed(text));
  }

  /** The names of the test cases that hold a failure or an error. */
  private static String failed(String report) {
    Matcher cases =
        Pattern.compile(
                "<testcase name=\"([^\"]*)\" classname=\"([^\"]*)\"[^>]*>\\s*<(failure|error)")
            .matcher(report);
    return cases.results().map(one -> one.group(2) + "." + one.group(1)).toList().toString();
  }
}
