package dev.rollcall.lab.machine;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tests of a module that need root, run inside a machine: on real controllers, with systemd
 * beside them.
 *
 * @param module the module's folder, whose test classes are compiled
 * @param classPath what its tests run with, JUnit's console launcher among it
 * @param only a pattern for the names of test classes, as JUnit's launcher takes it; empty: all
 * @param tags a JUnit tag expression
 * @param jvm the tests' JVM flags
 */
public record VmTests(
    Path module, List<Path> classPath, Optional<String> only, String tags, List<String> jvm) {
  /** What {@link #command} writes JUnit's reports below, in the results. */
  public static final String REPORTS = "reports";

  private static final String PLACE = "/srv/rollcall-vm/tests/";
  private static final String RESOURCES = "src/test/resources";
  private static final Duration EACH_WITHIN = Duration.ofMinutes(8);

  public VmTests {
    classPath = List.copyOf(classPath);
    jvm = List.copyOf(jvm);
  }

  /**
   * Every test that is tagged root, but for those that need a cluster, and those that are tagged
   * host: they start a JVM again and again, which an emulated processor is too slow for.
   *
   * @param classPath without the module's own classes
   */
  public static VmTests of(Path module, List<Path> classPath) {
    return new VmTests(
        module,
        Stream.concat(Stream.of(module.resolve("target/classes")), classPath.stream())
            .filter(Files::exists)
            .distinct()
            .toList(),
        Optional.empty(),
        "root & !cluster & !slurm & !vm & !host & !full",
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx512m"));
  }

  /** Without those that need a node with version 1 of the cgroups. */
  public VmTests onV2() {
    return new VmTests(module, classPath, only, tags + " & !v1", jvm);
  }

  public VmTests only(String pattern) {
    return new VmTests(module, classPath, Optional.of(pattern), tags, jvm);
  }

  /** A class path as Java has it. */
  public static List<Path> split(String classPath) {
    return Stream.of(classPath.split(File.pathSeparator, -1))
        .filter(entry -> !entry.isBlank())
        .map(Path::of)
        .toList();
  }

  private String name() {
    return module.getFileName().toString();
  }

  private Path testClasses() {
    return module.resolve("target/test-classes");
  }

  /** The class path in the machine: the same order, each entry by a name of its own. */
  private List<String> inside() {
    var names = new ArrayList<String>();
    for (Path entry : classPath) {
      names.add(PLACE + "lib/" + Integer.toHexString(entry.hashCode()) + "-" + entry.getFileName());
    }
    return names;
  }

  /** Adds what the tests need; what two modules share is there once. */
  public VmPayload addTo(VmPayload payload) {
    VmPayload all = payload.with(PLACE + name() + "/target/test-classes", testClasses());
    Path resources = module.resolve(RESOURCES);
    if (Files.isDirectory(resources)) {
      all = all.with(PLACE + name() + "/" + RESOURCES, resources);
    }
    List<String> names = inside();
    for (int i = 0; i < names.size(); i++) {
      all = all.with(names.get(i), classPath.get(i));
    }
    return all;
  }

  /**
   * To be run before the tests of a machine with cgroup v2 alone: the v1 controllers that version 2
   * does not have are mounted beside it, so that tests of both find both.
   */
  public static final String V1_BESIDE =
      """
      for one in freezer cpuacct devices; do
        mkdir -p /run/cgroup-v1/$one && mount -t cgroup -o $one cgroup /run/cgroup-v1/$one
      done
      """;

  /** Runs them; ends with 1 if one fails. */
  public String command() {
    String words =
        Stream.of(
                Stream.of("timeout", Long.toString(EACH_WITHIN.toSeconds()), "java"),
                jvm.stream(),
                Stream.of(
                    "-Drollcall.counts=default",
                    "-Drollcall.vm=true",
                    "-cp",
                    "target/test-classes:" + String.join(":", inside()),
                    "org.junit.platform.console.ConsoleLauncher",
                    "execute",
                    "--disable-banner",
                    "--disable-ansi-colors",
                    "--details=testfeed",
                    "--fail-if-no-tests",
                    "--scan-classpath=target/test-classes",
                    "--include-tag=" + tags,
                    "--include-classname=" + only.orElse(".*Test"),
                    "--reports-dir=$ROLLCALL_VM_RESULTS/" + REPORTS + "/" + name()))
            .flatMap(part -> part)
            .map(VmTests::quoted)
            .collect(Collectors.joining(" "));
    return "(cd " + PLACE + name() + " && " + words + ")";
  }

  private static String quoted(String word) {
    return word.startsWith("--reports-dir") ? "\"" + word + "\"" : "'" + word + "'";
  }
}
