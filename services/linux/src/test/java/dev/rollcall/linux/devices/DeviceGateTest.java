package dev.rollcall.linux.devices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupMount;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.linux.cgroup.CgroupRemoval;
import dev.rollcall.model.allocation.DeviceRule;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.DeviceRules.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kind of gate that this machine has, on cgroups of its own. The devices have no driver: open
 * fails with ENXIO where it is allowed, and with EPERM where it is not.
 */
@Tag("root")
class DeviceGateTest {
  private static final String ALLOWED = "No such device or address";
  private static final String REFUSED = "Operation not permitted";
  private static final String READ = "exec 3< ";
  private static final String WRITE = "exec 3> ";

  /** Which mount's cgroups, and what decides there. */
  record Way(String name, Path point, DeviceGate gate) {
    @Override
    public String toString() {
      return name;
    }
  }

  @TempDir private Path temp = Path.of("/nowhere");
  private CgroupDirectory top = new CgroupDirectory(Path.of("/nowhere"));

  static List<Way> ways() throws IOException {
    CgroupMounts mounts = CgroupMounts.read(Path.of("/proc"));
    List<Way> ways = new ArrayList<>();
    Optional<CgroupMount> v2 = mounts.v2();
    v2.ifPresent(mount -> ways.add(new Way("v2", mount.point(), new ProgramGate())));
    Optional<CgroupMount> v1 = mounts.v1("devices");
    v1.ifPresent(mount -> ways.add(new Way("v1", mount.point(), new FilesGate())));
    return ways;
  }

  private DeviceGate begin(Way way) throws IOException {
    String name = "rollcall-devices-test-" + ProcessHandle.current().pid();
    top = new CgroupDirectory(way.point.resolve(name));
    top.create();
    return way.gate;
  }

  @AfterEach
  void remove() {
    assertEquals(
        new CgroupRemoval.Outcome.Removed(),
        CgroupRemoval.remove(top, BoundedWait.of(Duration.ofSeconds(20))));
  }

  private static DeviceRules rules(Kind kind, String... rules) {
    return new DeviceRules(kind, Stream.of(rules).map(DeviceRule::parse).toList());
  }

  /** A device file with these numbers. */
  private String node(String type, int minor) throws IOException {
    Path node = temp.resolve(type + minor);
    if (Files.notExists(node)) {
      run("mknod " + node + " " + type + " 240 " + minor);
    }
    return node.toString();
  }

  private String in(CgroupDirectory cgroup, String command) throws IOException {
    return run("echo 0 > " + cgroup.procsFile() + "; " + command);
  }

  /** What the shell complains about; empty if about nothing. */
  private static String run(String script) throws IOException {
    var process =
        new ProcessBuilder("bash", "-c", script)
            .redirectErrorStream(true)
            .redirectInput(Path.of("/dev/null").toFile())
            .start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    return output.substring(output.lastIndexOf(':') + 1).strip();
  }

  @ParameterizedTest
  @MethodSource("ways")
  void anAllowListRefusesAllThatItDoesNotName(Way way) throws IOException {
    DeviceGate gate = begin(way);
    gate.set(top, DeviceRules.OPEN, rules(Kind.ALLOW_LIST, "c 240:7 r", "b 240:* m"));
    assertEquals(ALLOWED, in(top, READ + node("c", 7)));
    assertEquals(REFUSED, in(top, WRITE + node("c", 7)));
    assertEquals(REFUSED, in(top, READ + node("c", 8)));
    assertEquals(REFUSED, in(top, READ + node("b", 7)));
    assertEquals("", in(top, "mknod " + temp.resolve("made") + " b 240 9"));
    assertEquals(REFUSED, in(top, "mknod " + temp.resolve("not") + " c 240 7"));
    assertEquals(ALLOWED, run(READ + node("c", 8)), "open outside");
  }

  @ParameterizedTest
  @MethodSource("ways")
  void theBaseDevicesAreAlwaysThere(Way way) throws IOException {
    DeviceGate gate = begin(way);
    gate.set(top, DeviceRules.OPEN, rules(Kind.ALLOW_LIST));
    for (String base : List.of("null", "zero", "full", "random", "urandom", "ptmx")) {
      assertEquals("", in(top, "exec 3<> /dev/" + base), base);
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void aDenyListRefusesWhatItNames(Way way) throws IOException {
    DeviceGate gate = begin(way);
    gate.set(top, DeviceRules.OPEN, rules(Kind.DENY_LIST, "c 240:7 w"));
    assertEquals(REFUSED, in(top, WRITE + node("c", 7)));
    assertEquals(ALLOWED, in(top, READ + node("c", 7)));
    assertEquals(ALLOWED, in(top, WRITE + node("c", 8)));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void whatIsBelowIsBoundTooAndMayBeBoundMore(Way way) throws IOException {
    DeviceGate gate = begin(way);
    gate.set(top, DeviceRules.OPEN, rules(Kind.ALLOW_LIST, "c 240:7 rw", "c 240:8 rw"));
    CgroupDirectory inherits = top.child("inherits");
    inherits.create();
    CgroupDirectory own = top.child("own");
    own.create();
    gate.set(own, DeviceRules.OPEN, rules(Kind.ALLOW_LIST, "c 240:7 rw", "c 240:9 r"));
    assertEquals(REFUSED, in(own, READ + node("c", 9)));
    assertEquals(REFUSED, in(inherits, READ + node("c", 9)));
    assertEquals(ALLOWED, in(inherits, READ + node("c", 8)));
    assertEquals(REFUSED, in(own, READ + node("c", 8)));
    assertEquals(ALLOWED, in(own, READ + node("c", 7)));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void aListIsReplacedWhileCgroupsAreBelow(Way way) throws IOException {
    DeviceGate gate = begin(way);
    DeviceRules first = rules(Kind.ALLOW_LIST, "c 240:7 rw", "c 240:8 r");
    DeviceRules second = rules(Kind.ALLOW_LIST, "c 240:7 r", "c 240:9 r");
    gate.set(top, DeviceRules.OPEN, first);
    CgroupDirectory inherits = top.child("inherits");
    inherits.create();
    gate.set(top, first, second);
    for (CgroupDirectory each : List.of(top, inherits)) {
      assertEquals(ALLOWED, in(each, READ + node("c", 7)));
      assertEquals(REFUSED, in(each, WRITE + node("c", 7)));
      assertEquals(REFUSED, in(each, READ + node("c", 8)));
      assertEquals(ALLOWED, in(each, READ + node("c", 9)));
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void aDenyListIsReplacedAndTakenBack(Way way) throws IOException {
    DeviceGate gate = begin(way);
    DeviceRules first = rules(Kind.DENY_LIST, "c 240:7 rwm", "c 240:8 rwm");
    DeviceRules second = rules(Kind.DENY_LIST, "c 240:8 rwm");
    CgroupDirectory below = top.child("below");
    below.create();
    gate.set(top, DeviceRules.OPEN, first);
    gate.set(top, first, second);
    assertEquals(ALLOWED, in(below, READ + node("c", 7)));
    assertEquals(REFUSED, in(below, READ + node("c", 8)));
    gate.set(top, second, DeviceRules.OPEN);
    assertEquals(ALLOWED, in(below, READ + node("c", 8)));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void whatIsThereIsFoundAgain(Way way) throws IOException {
    DeviceGate gate = begin(way);
    DeviceRules rules = rules(Kind.ALLOW_LIST, "c 240:7 r", "a 240:8 r");
    gate.set(top, DeviceRules.OPEN, rules);
    assertTrue(gate.restore(top, rules));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void whatSomethingElseChangedIsPutBack(Way way) throws IOException {
    DeviceGate gate = begin(way);
    DeviceRules rules = rules(Kind.ALLOW_LIST, "c 240:7 r");
    gate.set(top, DeviceRules.OPEN, rules);
    CgroupDirectory below = top.child("below");
    below.create();
    gate.set(top, rules, rules(Kind.ALLOW_LIST, "c 240:8 r"));
    assertFalse(gate.restore(top, rules));
    assertEquals(ALLOWED, in(below, READ + node("c", 7)));
    assertEquals(REFUSED, in(below, READ + node("c", 8)));
    assertTrue(gate.restore(top, rules));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void manyRulesAreTaken(Way way) throws IOException {
    DeviceGate gate = begin(way);
    String[] many =
        Stream.iterate(1, minor -> minor + 1)
            .limit(256)
            .map(minor -> "c 240:" + minor + (minor % 2 == 0 ? " rw" : " r"))
            .toArray(String[]::new);
    gate.set(top, DeviceRules.OPEN, rules(Kind.ALLOW_LIST, many));
    assertEquals(ALLOWED, in(top, READ + node("c", 256)));
    assertEquals(REFUSED, in(top, READ + node("c", 257)));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void aCgroupThatIsGoneIsAnErrorThatNamesIt(Way way) throws IOException {
    DeviceGate gate = begin(way);
    CgroupDirectory gone = top.child("gone");
    IOException refused =
        assertThrows(
            IOException.class,
            () -> gate.set(gone, DeviceRules.OPEN, rules(Kind.ALLOW_LIST, "c 240:7 r")));
    assertTrue(String.valueOf(refused.getMessage()).contains(gone.toString()), refused.toString());
  }

  @ParameterizedTest
  @MethodSource("ways")
  void aDenyRuleThatMeetsBaseDevices(Way way) throws IOException {
    DeviceGate gate = begin(way);
    DeviceRules rules = rules(Kind.DENY_LIST, "c *:* rwm");
    if (way.gate instanceof FilesGate) {
      IOException refused =
          assertThrows(IOException.class, () -> gate.set(top, DeviceRules.OPEN, rules));
      assertTrue(String.valueOf(refused.getMessage()).contains("c 1:3 rwm"), refused.toString());
      return;
    }
    gate.set(top, DeviceRules.OPEN, rules);
    assertEquals("", in(top, "exec 3<> /dev/null"));
    assertEquals(REFUSED, in(top, READ + node("c", 7)));
  }
}
