package dev.rollcall.lab.packages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.elf.GlibcVersions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tagged root because what makes packages is installed for {@code ./rollcall test} alone. */
@Tag("machine")
@ExtendWith(Packages.Once.class)
class PackagesTest {
  private static final String HOME = "/usr/lib/rollcall/";
  private static final Pattern LIBC6 = Pattern.compile("\\blibc6 \\(>= 2\\.(\\d+)");

  /** What is in all .deb packages. */
  @TempDir private static Path unpacked = Path.of("");

  @TempDir private Path folder = Path.of("");

  @BeforeAll
  static void unpack(Packages packages) {
    for (Path deb : packages.files(".deb")) {
      Command.say("dpkg-deb", "-x", deb.toString(), unpacked.toString());
    }
  }

  @Test
  void aPackageForEachPurpose(Packages packages) {
    assertEquals(
        List.of(
            "libpam-rollcall",
            "rollcall",
            "rollcall-agent",
            "rollcall-gateway",
            "rollcall-runtime"),
        packages.files(".deb").stream()
            .map(deb -> Command.say("dpkg-deb", "-f", deb.toString(), "Package").strip())
            .sorted()
            .toList());
    assertEquals(
        List.of(
            "pam_rollcall", "rollcall", "rollcall-agent", "rollcall-gateway", "rollcall-runtime"),
        packages.files(".rpm").stream()
            .map(rpm -> Command.say("rpm", "-qp", "--qf", "%{NAME}", rpm.toString()))
            .sorted()
            .toList());
  }

  /** Another folder, another hour's zone, another language and mask of modes. */
  @Test
  @Tag("full")
  void madeAgainElsewhereTheyAreTheSameBytes(Packages packages) throws Exception {
    Path elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
    Packages again =
        Packages.made(
            folder.resolve("again"),
            elsewhere,
            Map.of(
                "TMPDIR", elsewhere.toString(), "TZ", "Asia/Kathmandu", "LANG", "C", "USER", "x"));

    assertEquals(digests(packages), digests(again));
  }

  private static Map<String, String> digests(Packages packages)
      throws IOException, NoSuchAlgorithmException {
    var digests = new TreeMap<String, String>();
    for (Path file :
        Stream.concat(packages.files(".deb").stream(), packages.files(".rpm").stream()).toList()) {
      byte[] sum = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
      digests.put(file.getFileName().toString(), HexFormat.of().formatHex(sum));
    }
    return digests;
  }

  @Test
  void everythingIsRootsAndNobodyElseMayChangeIt(Packages packages) {
    var wrong =
        packages.files(".deb").stream()
            .flatMap(deb -> Command.say("dpkg-deb", "-c", deb.toString()).lines())
            .filter(
                line -> !line.matches("(drwxr-xr-x|-rwxr-xr-x|-rw-r--r--|lrwxrwxrwx) root/root .*"))
            .toList();
    assertEquals(List.of(), wrong);
  }

  /** The lists are made by different tools of different descriptions. */
  @Test
  void bothKindsInstallTheSameProgram(Packages packages) {
    var ofDebs = new TreeSet<String>();
    packages.files(".deb").stream()
        .flatMap(deb -> Command.say("dpkg-deb", "-c", deb.toString()).lines())
        .map(line -> line.replaceFirst(".* \\./", "/").replaceFirst("( ->.*|/)$", ""))
        .filter(name -> name.startsWith(HOME))
        .forEach(ofDebs::add);
    var ofRpms =
        packages.files(".rpm").stream()
            .flatMap(rpm -> Command.say("rpm", "-qpl", rpm.toString()).lines())
            .filter(name -> name.startsWith(HOME))
            .collect(Collectors.toCollection(TreeSet::new));

    assertTrue(ofDebs.size() > 100, ofDebs::toString);
    assertEquals(ofDebs, ofRpms);
  }

  /** The module for sshd and units have folders of their own in packages. */
  @Test
  void everyFileOfTheDistributionIsInAPackage() throws IOException {
    Set<String> laidOut = files(SourceTree.DISTRIBUTION);
    laidOut.removeIf(name -> !name.matches("(bin|lib)/.*"));
    laidOut.removeIf(name -> name.matches("lib/(security|systemd)/.*"));
    Set<String> shipped = files(unpacked.resolve(HOME.substring(1)));
    shipped.removeIf(name -> name.startsWith("jre/"));

    assertTrue(laidOut.contains("lib/brief/rollcall-brief"), laidOut::toString);
    assertEquals(laidOut, shipped);
  }

  private static Set<String> files(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void whatAnAdministratorChangesIsKept(Packages packages) {
    String agent = "/etc/logrotate.d/rollcall\n/etc/rollcall/agent.yaml\n";
    String gateway = "/etc/logrotate.d/rollcall-gateway\n/etc/rollcall/gateway.yaml\n";
    assertEquals(agent, conffiles(packages, "rollcall-agent_"));
    assertEquals(gateway, conffiles(packages, "rollcall-gateway_"));
    assertEquals(agent, configuration(packages, "rollcall-agent-"));
    assertEquals(gateway, configuration(packages, "rollcall-gateway-"));
  }

  private static String conffiles(Packages packages, String name) {
    return Command.say("dpkg-deb", "-I", of(packages, ".deb", name), "conffiles");
  }

  private static String configuration(Packages packages, String name) {
    return Command.say("rpm", "-qpc", of(packages, ".rpm", name));
  }

  private static String of(Packages packages, String ending, String name) {
    return packages.files(ending).stream()
        .filter(file -> file.getFileName().toString().startsWith(name))
        .findFirst()
        .orElseThrow()
        .toString();
  }

  /** sshd, which loads the module, has these libraries; the runtime brings what it needs. */
  @Test
  void theyDependOnTheSystemsLibrariesAlone(Packages packages) {
    assertEquals(List.of("libc6", "libpam0g"), depends(of(packages, ".deb", "libpam-rollcall_")));
    assertEquals(List.of("libc6"), depends(of(packages, ".deb", "rollcall-runtime_")));
    assertEquals(
        List.of("rollcall-runtime", "rollcall", "default-dbus-system-bus | dbus-system-bus"),
        depends(of(packages, ".deb", "rollcall-agent_")));
  }

  private static List<String> depends(String deb) {
    return Stream.of(Command.say("dpkg-deb", "-f", deb, "Depends").strip().split(", ", -1))
        .map(one -> one.replaceAll(" \\([^)]*\\)", ""))
        .toList();
  }

  /** RHEL 8 has glibc 2.28. The Java is of the JDK that built the packages. */
  @Test
  void nothingNeedsALaterGlibcThanThatOfRhel8(Packages packages) throws IOException {
    GlibcVersions needed = GlibcVersions.below(unpacked);
    assertEquals(Map.of(), needed.above(28));
    Set<String> files = needed.versions().keySet();
    assertTrue(
        files.containsAll(List.of("java", "libjvm.so", "pam_rollcall.so", "rollcall-brief")),
        files::toString);

    for (String name : List.of("pam_rollcall-", "rollcall-0", "rollcall-runtime-")) {
      assertTrue(
          Command.say("rpm", "-qp", "--requires", of(packages, ".rpm", name))
              .contains("glibc >= 2.28\n"),
          name);
    }
    for (String name : List.of("libpam-rollcall_", "rollcall_", "rollcall-runtime_")) {
      String depends = Command.say("dpkg-deb", "-f", of(packages, ".deb", name), "Depends");
      var glibc = LIBC6.matcher(depends);
      assertTrue(glibc.find() && Integer.parseInt(glibc.group(1)) <= 28, depends);
    }
  }

  @Test
  void theUnitsRunWhatIsInstalled() throws IOException {
    for (String unit : List.of("rollcall-agent", "rollcall-gateway")) {
      String text = Files.readString(unpacked.resolve("lib/systemd/system/" + unit + ".service"));
      String program = text.lines().filter(line -> line.startsWith("ExecStart=")).findFirst().get();
      String launcher = program.substring("ExecStart=".length()).split(" ", 2)[0];
      assertTrue(Files.isExecutable(unpacked.resolve(launcher.substring(1))), program);
      assertTrue(!text.contains("/opt/"), text);
    }
    assertTrue(
        Command.run(
                unpacked,
                Map.of("JAVA_HOME", "/nowhere"),
                unpacked + "/usr/bin/rollcall",
                "--version")
            .said()
            .startsWith("rollcall "));
  }

  /** A line that sshd_config gets from them names a program that is there. */
  @Test
  void pagesNameTheFolderOfThePackages() {
    String page = unpacked + "/usr/share/man/man5/rollcall-agent.yaml.5.gz";
    assertTrue(Command.say("zcat", page).contains(HOME + "lib/container/rollcall"), page);
    Path docs = unpacked.resolve("usr/share/doc/rollcall-runtime/docs");
    assertTrue(Files.exists(docs.resolve("concepts.md")), "no pages below " + docs);
    assertTrue(Files.exists(docs.resolve("adr/README.md")), "no decisions below " + docs);
    String find =
        "find " + unpacked + "/usr/share -type f -exec zgrep -l /opt/rollcall/ {} + || true";
    assertEquals("", Command.say("sh", "-c", find));
  }

  /** It takes a minute, and leaves files of its own where temporary ones are. */
  @Test
  @Tag("full")
  void lintianHasNothingToSay(Packages packages, @TempDir Path temporary) {
    var command =
        Stream.concat(
                Stream.of("lintian", "--allow-root", "--fail-on", "warning", "--no-cfg"),
                packages.files(".deb").stream().map(Path::toString))
            .toList();

    String[] words = command.toArray(String[]::new);
    Command.Ran ran = Command.run(Path.of("."), Map.of("TMPDIR", temporary.toString()), words);
    assertEquals("", ran.orThrow(command));
  }

  @Test
  void laterOnesAreLaterToBothTools(Packages packages) {
    Packages later = packages.later();
    String before = Command.say("dpkg-deb", "-f", of(packages, ".deb", "rollcall_"), "Version");
    String after = Command.say("dpkg-deb", "-f", of(later, ".deb", "rollcall_"), "Version");
    Command.say("dpkg", "--compare-versions", after.strip(), "gt", before.strip());

    String format = "%{VERSION}-%{RELEASE}";
    String rpm = Command.say("rpm", "-qp", "--qf", format, of(later, ".rpm", "rollcall-agent-"));
    assertTrue(rpm.endsWith("-2"), rpm);
    assertEquals(
        rpm.replaceFirst("-2$", "-1"),
        Command.say("rpm", "-qp", "--qf", format, of(packages, ".rpm", "rollcall-agent-")));
  }

  @Test
  void removingThePamRpmAsksThePamLinesFirst(Packages packages) {
    String scripts = Command.say("rpm", "-qp", "--scripts", of(packages, ".rpm", "pam_rollcall-"));
    assertTrue(
        scripts.contains("[ \"$1\" -ne 0 ] || /usr/share/pam_rollcall/pam-lines pam_rollcall"),
        scripts);
    assertTrue(!scripts.contains("postinstall"), scripts);
  }

  /** Without its scripts, which are for a system that runs: {@link PackagedNodeTest} has it. */
  @Test
  void anRpmDatabaseTakesThemInAndOutAgain(Packages packages) throws IOException {
    Path root = Files.createDirectories(folder.resolve("root"));
    String rpms =
        packages.files(".rpm").stream().map(Path::toString).collect(Collectors.joining(" "));
    rpm(root, "-i --nodeps --noscripts " + rpms);
    assertEquals("", rpm(root, "-V --nodeps rollcall-agent rollcall-gateway pam_rollcall"));
    assertTrue(Files.isExecutable(root.resolve("usr/bin/rollcall")));

    rpm(root, "-e --nodeps --noscripts $(rpm --root " + root + " -qa)");

    try (var left = Files.walk(root)) {
      assertEquals(
          List.of(),
          left.filter(path -> path.getFileName().toString().contains("rollcall")).toList());
    }
  }

  private static String rpm(Path root, String words) {
    return Command.say("sh", "-ec", "rpm --root " + root + " " + words + " 2>/dev/null");
  }
}
