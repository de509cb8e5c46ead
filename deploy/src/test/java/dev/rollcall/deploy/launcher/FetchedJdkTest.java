package dev.rollcall.deploy.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The source tree's launcher on systems whose packages have no JDK 25. A server on loopback is the
 * mirror, and has a JDK whose programs are stand-ins.
 */
@Tag("root")
class FetchedJdkTest {
  private static final String FILE = "/jdk.tar.gz";
  private static final String PUBLISHED =
      "/OpenJDK25U-jdk_%s_linux_hotspot_25.0.3_9.tar.gz"
          .formatted(System.getProperty("os.arch").equals("amd64") ? "x64" : "aarch64");

  /** A system without JDKs in the usual folders, and with the identity of another than Debian. */
  private static final String SYSTEM =
      """
      mount -t tmpfs none /usr/lib/jvm
      mount -t tmpfs none /opt
      echo 'ID=%s' >identity
      echo 'VERSION_CODENAME=%s' >>identity
      mount --bind identity /etc/os-release
      """;

  private static final String OTHER = SYSTEM.formatted("fedora", "");

  @TempDir private Path folder = Path.of("");
  private Script script = new Script(folder);
  private final Map<String, byte[]> served = new ConcurrentHashMap<>();
  private HttpServer server = listen();

  private static HttpServer listen() {
    try {
      return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @BeforeEach
  void prepare() throws Exception {
    script = new Script(folder);
    for (String part : List.of("rollcall", "services/lab/jdk.sh")) {
      Files.createDirectories(folder.resolve(part).getParent());
      Files.copy(
          Path.of("..").resolve(part), folder.resolve(part), StandardCopyOption.COPY_ATTRIBUTES);
    }
    script
        .fake("apt-cache", "echo '  Candidate: (none)'")
        .fake("apt-get", "exit 1")
        .fake("dpkg-query", "printf installed");
    executable("deploy/target/rollcall/bin/rollcall", "echo \"java home: $JAVA_HOME\"");
    Files.writeString(folder.resolve("deploy/target/built"), "");
    executable("made/jdk-25/bin/javac", "true");
    Files.writeString(folder.resolve("made/jdk-25/release"), "JAVA_VERSION=\"25.0.3\"\n");
    assertEquals(0, script.run("", "tar czf jdk.tar.gz -C made jdk-25").status());
    byte[] jdk = Files.readAllBytes(folder.resolve("jdk.tar.gz"));
    served.put(FILE, jdk);
    served.put(FILE + ".sha256.txt", (sum(jdk) + "  jdk.tar.gz\n").getBytes(UTF_8));
    server.createContext("/", this::serve);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void executable(String name, String body) throws IOException {
    script.fake("made-here", body);
    Files.createDirectories(folder.resolve(name).getParent());
    Files.move(folder.resolve("bin/made-here"), folder.resolve(name));
  }

  private static String sum(byte[] file) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(file));
  }

  /** Names below /broken end in the middle of the announced length. */
  private void serve(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    byte[] file = served.get(path.replaceFirst("^/broken", ""));
    if (file == null) {
      exchange.sendResponseHeaders(404, -1);
    } else {
      boolean broken = path.startsWith("/broken") && !path.endsWith(".txt");
      exchange.sendResponseHeaders(200, file.length);
      exchange.getResponseBody().write(file, 0, broken ? file.length / 2 : file.length);
    }
    exchange.close();
  }

  private String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  private Script.Ran fetch(String path) throws Exception {
    return script.run("", OTHER + "ROLLCALL_JDK_URL=" + url(path) + " ./rollcall --yes jobs");
  }

  private void assertNothingKept() throws IOException {
    Path kept = folder.resolve(".jdk");
    if (Files.exists(kept)) {
      try (var files = Files.list(kept)) {
        assertEquals(List.of(), files.toList());
      }
    }
  }

  @Test
  void aGoodFileIsUnpackedAndUsedThenAndLater() throws Exception {
    Script.Ran ran = fetch(FILE);
    String used = "java home: " + folder.resolve(".jdk/temurin") + "\n";
    assertEquals("rollcall: fetching " + url(FILE) + "\n" + used, ran.said());
    assertEquals(0, ran.status());
    server.stop(0);
    assertEquals(used, script.run("", OTHER + "./rollcall jobs").said());
  }

  @Test
  void aFileWithAnotherChecksumIsRemoved() throws Exception {
    byte[] wrong = "another file".getBytes(UTF_8);
    served.put(FILE, wrong);
    Script.Ran ran = fetch(FILE);
    assertEquals(1, ran.status());
    assertTrue(ran.said().contains(" has the checksum " + sum(wrong) + ", expected "), ran.said());
    assertNothingKept();
  }

  @Test
  void aShortFileIsRemoved() throws Exception {
    byte[] whole = served.get(FILE);
    assertTrue(whole != null && whole.length > 2);
    served.put(FILE, Arrays.copyOf(whole, whole.length / 2));
    Script.Ran ran = fetch(FILE);
    assertEquals(1, ran.status());
    assertTrue(ran.said().contains("it was removed"), ran.said());
    assertNothingKept();
  }

  @Test
  void aBrokenTransferIsReportedAndNothingIsKept() throws Exception {
    Script.Ran ran = fetch("/broken" + FILE);
    assertEquals(1, ran.status());
    assertTrue(
        ran.said().contains("the JDK could not be fetched from " + url("/broken" + FILE)),
        ran.said());
    assertNothingKept();
  }

  @Test
  void aMirrorWithoutTheChecksumIsRefused() throws Exception {
    served.remove(FILE + ".sha256.txt");
    Script.Ran ran = fetch(FILE);
    assertEquals(1, ran.status());
    assertTrue(ran.said().contains("the checksum of the JDK is not at "), ran.said());
    assertNothingKept();
  }

  /** A mirror cannot name the checksum of the publisher's own file. */
  @Test
  void thePublishersFileHasThePublishersChecksum() throws Exception {
    byte[] forged = served.getOrDefault(FILE, new byte[0]);
    served.put(PUBLISHED, forged);
    served.put(PUBLISHED + ".sha256.txt", (sum(forged) + "\n").getBytes(UTF_8));
    Script.Ran ran = fetch(PUBLISHED);
    assertEquals(1, ran.status());
    assertTrue(ran.said().contains(" has the checksum " + sum(forged)), ran.said());
    assertNothingKept();
  }

  @Test
  void withoutATerminalNothingIsFetchedUnasked() throws Exception {
    Script.Ran ran = script.run("", OTHER + "ROLLCALL_JDK_URL=" + url(FILE) + " ./rollcall jobs");
    assertEquals(1, ran.status());
    assertTrue(ran.said().contains("no JDK 25"), ran.said());
    assertTrue(ran.said().contains("./rollcall --yes COMMAND"), ran.said());
    assertNothingKept();
  }

  @Test
  void atATerminalItAsks() throws Exception {
    String asked =
        OTHER
            + "echo %s | ROLLCALL_JDK_URL="
            + url(FILE)
            + " script -qec './rollcall jobs' /dev/null || true";
    String refused = script.run("", asked.formatted("n")).said();
    assertTrue(refused.contains("[y/N]"), refused);
    assertTrue(refused.contains("nothing was fetched"), refused);
    assertNothingKept();
    String agreed = script.run("", asked.formatted("y")).said();
    assertTrue(agreed.contains("java home: " + folder.resolve(".jdk/temurin")), agreed);
  }

  /** On Debian 12 the JDK comes from Debian 13's packages, by apt. */
  @Test
  void onDebian12AptIsUsedAndItsFailureNamed() throws Exception {
    Script.Ran ran =
        script.run("", SYSTEM.formatted("debian", "bookworm") + "./rollcall --yes jobs");
    assertEquals(1, ran.status());
    assertEquals(
        """
        rollcall: unpacking the JDK 25 of Debian 13 into %1$s/.jdk/debian
        rollcall: the package lists of Debian 13 cannot be read: see %1$s/.jdk/debian.log
        """
            .formatted(folder),
        ran.said());
  }

  /** Its programs need the folder of the tree. */
  @Test
  void noPackageIsMadeWithTheJdkOfDebian13() throws Exception {
    Path jdk = folder.resolve(".jdk/debian/usr/lib/jvm/java-25-openjdk-amd64");
    Files.createDirectories(jdk.getParent());
    Files.move(folder.resolve("made/jdk-25"), jdk);
    for (String command : List.of("package", "image", "runtime")) {
      Script.Ran ran = script.run("", OTHER + "./rollcall " + command);
      assertEquals(1, ran.status());
      assertTrue(ran.said().contains(command + " ships a Java, which cannot be made"), ran.said());
    }
    assertFalse(Files.exists(folder.resolve("deploy/target/packages")));
  }
}
