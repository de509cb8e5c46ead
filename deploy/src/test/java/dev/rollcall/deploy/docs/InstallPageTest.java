package dev.rollcall.deploy.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.testkit.docs.CodeBlock;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Types the commands of docs/install.md in a folder with a file for each package, and looks at the
 * packages that apt and dnf get. QuickStartTest installs real ones.
 */
class InstallPageTest {
  private static final Path HOME = Path.of(System.getProperty("rollcall.home", ".."));
  private static final Path PAGE = HOME.resolve("docs/install.md");
  private static final Pattern OF_RPM =
      Pattern.compile("(?m)^%package (-n )?([a-z_]+)$|^Name: ([a-z]+)$");

  @TempDir private Path folder = Path.of("unset");

  @BeforeEach
  void makePackages() throws IOException {
    String control = Files.readString(HOME.resolve("deploy/packages/debian/control"));
    for (String name : names(Pattern.compile("(?m)^Package: (.+)$"), control)) {
      Files.createFile(folder.resolve(name + "_0.1.0_amd64.deb"));
    }
    String spec = Files.readString(HOME.resolve("deploy/packages/rpm/rollcall.spec"));
    for (String name : rpms(spec)) {
      Files.createFile(folder.resolve(name + "-0.1.0-1.x86_64.rpm"));
    }
  }

  private static Set<String> names(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<String> rpms(String spec) {
    return OF_RPM
        .matcher(spec)
        .results()
        .map(found -> {
          if (found.group(3) != null) {
            return found.group(3);
          }
          return (found.group(1) == null ? "rollcall-" : "") + found.group(2);
        })
        .toList();
  }

  /** The packages that the command names, without their versions. */
  private Set<String> installed(String start) throws IOException {
    String commands = CodeBlock.beginning(PAGE, start).text();
    String shell =
        """
        set -eu; shopt -s failglob; cd "$1"
        install() { shift; printf '%s\\n' "$@"; }
        apt() { install "$@"; }
        dnf() { install "$@"; }
        systemctl() { :; }
        """;
    Result result =
        Running.run(
            Duration.ofSeconds(30),
            List.of("bash", "-c", shell + commands, "bash", folder.toString()));
    assertEquals(0, result.exit(), result.err());
    return result
        .out()
        .lines()
        .map(file -> file.replaceFirst("^\\./", "").replaceFirst("[-_]0\\.1\\.0.*", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void aNodeGetsTheCommandTheAgentAndTheModule() throws IOException {
    assertEquals(
        Set.of("rollcall", "rollcall-runtime", "rollcall-aot", "rollcall-agent", "libpam-rollcall"),
        installed("apt install ./rollcall_*"));
    assertEquals(
        Set.of("rollcall", "rollcall-runtime", "rollcall-aot", "rollcall-agent", "pam_rollcall"),
        installed("dnf install"));
  }

  @Test
  void aGatewayGetsNoAgent() throws IOException {
    assertEquals(
        Set.of("rollcall-runtime", "rollcall-aot", "rollcall-gateway"),
        installed("apt install ./rollcall-runtime_*"));
  }
}
