package dev.rollcall.deploy.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.cli.doctor.ModuleSeen;
import dev.rollcall.cli.doctor.NodeReader;
import dev.rollcall.cli.doctor.PamLine;
import dev.rollcall.cli.doctor.Seen;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DistributionTest {
  private static final Path HOME = Path.of("target/rollcall");
  private static final Pattern NOT_SHIPPED =
      Pattern.compile("^dev/rollcall/(lab|testkit|load)/|^org/junit/|\\.[ch]$");

  @Test
  void theAgentShipsWithoutHazelcast() throws IOException {
    assertEquals(List.of(), jarsWithHazelcast("agent"));
  }

  /** Shows that the look into the jars finds what it looks for. */
  @Test
  void theGatewayShipsWithHazelcast() throws IOException {
    assertEquals(List.of("hazelcast-5.7.0.jar"), jarsWithHazelcast("gateway"));
  }

  @Test
  void theCommandShipsWithoutHazelcast() throws IOException {
    assertEquals(List.of(), jarsWithHazelcast("cli"));
  }

  /** What signs certificates is in the command alone. */
  @Test
  void onlyTheCommandShipsWithBouncyCastle() throws IOException {
    assertEquals(List.of(), jarsNamed("agent", "bc"));
    assertEquals(List.of(), jarsNamed("gateway", "bc"));
    assertEquals(
        List.of("bcpkix-jdk18on-1.86.jar", "bcprov-jdk18on-1.86.jar", "bcutil-jdk18on-1.86.jar"),
        jarsNamed("cli", "bc"));
  }

  private static List<String> jarsNamed(String process, String beginning) throws IOException {
    try (var jars = Files.list(HOME.resolve("lib/" + process))) {
      return jars.map(jar -> jar.getFileName().toString())
          .filter(name -> name.startsWith(beginning))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"agent", "gateway", "cli"})
  void eachProcessShipsWithItsMain(String process) throws IOException {
    try (var jar =
        new JarFile(
            HOME.resolve("lib/" + process + "/rollcall-" + process + "-0.1.0.jar").toFile())) {
      assertTrue(jar.getEntry("dev/rollcall/" + process + "/Main.class") != null, jar.getName());
    }
  }

  /**
   * A library for one architecture alone would keep the programs from starting on the other.
   * Hazelcast's are for thread affinity and ICMP, which are off.
   */
  @ParameterizedTest
  @ValueSource(strings = {"agent", "gateway", "cli"})
  void shipsNativeLibrariesForBothArchitectures(String process) throws IOException {
    List<String> libraries = new ArrayList<>();
    for (Path jar : jars(process)) {
      try (var opened = new JarFile(jar.toFile())) {
        opened.stream()
            .map(ZipEntry::getName)
            .filter(name -> name.endsWith(".so"))
            .map(name -> Path.of(name).getFileName().toString())
            .forEach(libraries::add);
      }
    }

    assertEquals(
        List.of(
            "libnetty_transport_native_epoll_aarch_64.so",
            "libnetty_transport_native_epoll_x86_64.so"),
        libraries.stream().sorted().toList());
  }

  private static List<Path> jars(String process) throws IOException {
    try (var jars = Files.list(HOME.resolve("lib/" + process))) {
      return jars.filter(jar -> jar.toString().endsWith(".jar"))
          .filter(jar -> !jar.getFileName().toString().startsWith("hazelcast-"))
          .toList();
    }
  }

  /** By which doctor compares it with the agent. */
  @Test
  void theModuleTellsTheVersionInItsFile() {
    Path file = HOME.resolve("lib/security/pam_rollcall.so").toAbsolutePath().normalize();
    List<PamLine> stack =
        PamLine.stack("sshd", _ -> Optional.of("account required " + file + "\n"));
    String machine = System.getProperty("os.arch").replace("amd64", "x86_64");
    assertEquals(
        new Seen.Got<>(new ModuleSeen(file, true, Optional.of("0.1.0"), Optional.of(machine))),
        new NodeReader(Path.of("/")).module(stack));
  }

  @ParameterizedTest
  @ValueSource(strings = {"agent", "gateway", "cli"})
  void noProcessShipsWithATestLibrary(String process) throws IOException {
    try (var jars = Files.list(HOME.resolve("lib/" + process))) {
      assertEquals(
          List.of(),
          jars.map(jar -> jar.getFileName().toString())
              .filter(name -> name.matches("(junit|archunit|opentest4j).*"))
              .toList());
    }
  }

  /** The lab and the fakes are of the source tree, and so are programs in C that they compile. */
  @ParameterizedTest
  @ValueSource(strings = {"agent", "gateway", "cli"})
  void noProcessShipsWithTheLab(String process) throws IOException {
    try (var jars = Files.list(HOME.resolve("lib/" + process))) {
      assertEquals(
          List.of(),
          jars.filter(file -> file.toString().endsWith(".jar"))
              .flatMap(DistributionTest::entries)
              .filter(NOT_SHIPPED.asPredicate())
              .toList());
    }
  }

  /** Shows that the look into the jars finds what it looks for. */
  @Test
  void theLabIsFoundWhereItIs() throws IOException {
    try (var jars = Files.list(Path.of("../services/testkit/target"))) {
      assertTrue(
          jars.filter(file -> file.toString().endsWith(".jar"))
              .flatMap(DistributionTest::entries)
              .anyMatch(NOT_SHIPPED.asPredicate()));
    }
  }

  private static Stream<String> entries(Path path) {
    try (var jar = new JarFile(path.toFile())) {
      return jar.stream().map(ZipEntry::getName).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whoever calls the command runs it. */
  @Test
  void theProgramOfShortWordsMayBeRunByAllAndChangedByRootAlone() throws IOException {
    try (var programs = Files.list(HOME.resolve("lib/brief"))) {
      assertEquals(
          Map.of("rollcall-brief", "rwxr-xr-x"),
          programs.collect(
              Collectors.toMap(
                  program -> program.getFileName().toString(), DistributionTest::mode)));
    }
  }

  private static String mode(Path file) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Root runs them, and rollcall-enter also runs as a job's user. */
  @ParameterizedTest
  @ValueSource(strings = {"rollcall-namespaces", "rollcall-enter", "rollcall-step"})
  void theProgramsThatMakeContainersMayBeRunByAllAndChangedByRootAlone(String program)
      throws IOException {
    Path file = HOME.resolve("lib/container").resolve(program);

    assertEquals("rwxr-xr-x", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
  }

  @Test
  void nothingElseOfTheirBuildIsShipped() throws IOException {
    try (var programs = Files.list(HOME.resolve("lib/container"))) {
      assertEquals(
          List.of("rollcall-enter", "rollcall-namespaces", "rollcall-step"),
          programs.map(program -> program.getFileName().toString()).sorted().toList());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "man/man1/rollcall.1",
        "man/man1/rollcall-job-begin.1",
        "man/man5/rollcall-agent.yaml.5",
        "man/man5/rollcall-gateway.yaml.5",
        "man/man8/pam_rollcall.8",
        "man/man8/rollcall-agent.8",
        "man/man8/rollcall-gateway.8",
        "bash-completion/completions/rollcall"
      })
  void manualPagesAndTheCompletionAreShipped(String file) throws IOException {
    String text = Files.readString(HOME.resolve("share").resolve(file));
    assertTrue(text.contains(file.startsWith("man/") ? "Rollcall 0.1.0" : "complete -F"), text);
  }

  private static List<String> jarsWithHazelcast(String process) throws IOException {
    try (var jars = Files.list(HOME.resolve("lib/" + process))) {
      List<Path> all = jars.filter(each -> each.toString().endsWith(".jar")).toList();
      assertTrue(all.size() > 10, () -> "lib/" + process + " holds only " + all);
      return all.stream()
          .filter(DistributionTest::hasHazelcast)
          .map(jar -> jar.getFileName().toString())
          .sorted()
          .toList();
    }
  }

  /** By content: a shaded copy counts too. */
  private static boolean hasHazelcast(Path path) {
    try (var jar = new JarFile(path.toFile())) {
      return jar.stream().anyMatch(entry -> entry.getName().startsWith("com/hazelcast/"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
