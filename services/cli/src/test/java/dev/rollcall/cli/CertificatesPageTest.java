package dev.rollcall.cli;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.testkit.docs.CodeBlock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Types the pages' commands for certificates, and opens TLS connections with the results. */
class CertificatesPageTest {
  private static final Path DOCS = Path.of(System.getProperty("rollcall.home", "../.."), "docs");

  /** With a name. */
  private static final Pattern ISSUE =
      Pattern.compile("rollcall ca (issue [a-z]+ [A-Za-z0-9]+(?: [-a-zA-Z0-9./:]+)*)");

  private final Vertx vertx = Vertx.vertx();
  private final Shell shell = new Shell();

  @TempDir private Path folder = Path.of("unset");

  @AfterEach
  void close() {
    done(vertx.close());
  }

  private static <T> T done(Future<T> future) {
    return future.toCompletionStage().toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
  }

  /** Types the lines in a folder that has the place of the machine's root. */
  private void type(String lines) {
    for (String line : lines.split("\n", -1)) {
      String command = line.replaceFirst("^[a-z0-9]+# +", "").strip();
      if (command.isEmpty()) {
        continue;
      }
      assertTrue(command.startsWith("rollcall ca "), command);
      List<String> words = here(List.of(command.split(" +", -1)));
      Shell.Ran ran = shell.run(words.subList(1, words.size()).toArray(String[]::new));
      assertEquals(0, ran.status(), () -> command + ": " + ran.out() + ran.err());
    }
  }

  /** Files are below the test's folder; the authority is, too, where the page leaves it out. */
  private List<String> here(List<String> words) {
    var moved = new ArrayList<String>();
    String before = "";
    for (String word : words) {
      boolean file =
          List.of("--out", "--directory", "--request").contains(before) || word.endsWith(".csr");
      moved.add(
          file && !word.startsWith(folder.toString())
              ? folder.resolve(word.replaceFirst("^/", "")).toString()
              : word);
      before = word;
    }
    if (!words.contains("--directory") && !words.contains("request")) {
      moved.addAll(List.of("--directory", folder.resolve("ca").toString()));
    }
    return moved;
  }

  private PemKeyCertOptions key(String name) {
    Path own = folder.resolve(name);
    return new PemKeyCertOptions()
        .setKeyPath(own.resolve("key.pem").toString())
        .setCertPath(own.resolve("certificate.pem").toString());
  }

  private PemTrustOptions trust(String name) {
    return new PemTrustOptions().addCertPath(folder.resolve(name).resolve("ca.pem").toString());
  }

  /**
   * Connects by TLS in both directions of trust.
   *
   * @return the names in the certificate that the server got
   */
  private List<String> connect(String server, String client) {
    var seen = new CompletableFuture<List<String>>();
    var options =
        new NetServerOptions()
            .setSsl(true)
            .setKeyCertOptions(key(server))
            .setTrustOptions(trust(server))
            .setClientAuth(ClientAuth.REQUIRED);
    var listening =
        done(
            vertx
                .createNetServer(options)
                .connectHandler(socket -> answer(socket, seen))
                .exceptionHandler(seen::completeExceptionally)
                .listen(0, "127.0.0.1"));
    NetSocket socket =
        done(
            vertx
                .createNetClient(
                    new NetClientOptions()
                        .setSsl(true)
                        // The certificate has the page's address, and this is on loopback.
                        .setHostnameVerificationAlgorithm("")
                        .setKeyCertOptions(key(client))
                        .setTrustOptions(trust(client)))
                .connect(listening.actualPort(), "127.0.0.1"));
    done(socket.write(Buffer.buffer("hello")).otherwiseEmpty());
    return seen.orTimeout(60, TimeUnit.SECONDS).join();
  }

  private static void answer(NetSocket socket, CompletableFuture<List<String>> seen) {
    try {
      var peer = (X509Certificate) socket.peerCertificates().getFirst();
      seen.complete(
          requireNonNull(peer.getSubjectAlternativeNames()).stream()
              .map(name -> name.get(1).toString())
              .toList());
    } catch (Exception e) {
      seen.completeExceptionally(e);
    }
  }

  private static String block(String page, String start) throws Exception {
    return CodeBlock.beginning(DOCS.resolve(page), start).text();
  }

  @Test
  void thoseOfTheCommandsPageOpenConnections() throws Exception {
    type(block("cli.md", "rollcall ca init"));
    assertEquals(
        List.of("rollcall://alps/node/n001", "10.20.1.1", "fd20:0:0:0:0:0:1:1"),
        connect("gate1", "n001").stream().sorted(CertificatesPageTest::uriFirst).toList());
    assertEquals("rollcall://alps/service/licence?port=27000", uri(connect("gate1", "licence")));
  }

  @Test
  void thoseOfTheInstallPageOpenConnections() throws Exception {
    type(block("install.md", "rollcall ca init"));
    assertEquals("rollcall://alps/node/n001", uri(connect("root/tls/gate1", "root/tls/n001")));
  }

  @Test
  void servicesAndAdministratorsGetThemFromTheSameAuthority() throws Exception {
    type(block("cli.md", "rollcall ca init").lines().limit(2).reduce("", (a, b) -> a + b + "\n"));
    type(block("services.md", "rollcall ca issue service"));
    assertEquals("rollcall://alps/service/licence?port=27000", uri(connect("gate1", "licence")));
    type(block("console.md", "rollcall ca issue").lines().findFirst().orElseThrow());
    assertEquals("rollcall://alps/administrator/alice", uri(connect("gate1", "alice")));
  }

  @Test
  void aKeyThatNeverLeavesItsNodeOpensConnections() throws Exception {
    type(block("cli.md", "rollcall ca init").lines().limit(2).reduce("", (a, b) -> a + b + "\n"));
    List<String> lines = block("operations.md", "n001# rollcall ca request").lines().toList();
    type(lines.getFirst());
    Path tls = folder.resolve("etc/rollcall/tls");
    Files.copy(tls.resolve("request.csr"), folder.resolve("n001.csr"));
    type(String.join("\n", lines.subList(1, lines.size())));
    for (String file : List.of("certificate.pem", "ca.pem")) {
      Files.copy(folder.resolve("n001").resolve(file), tls.resolve(file));
    }
    assertEquals("rollcall://alps/node/n001", uri(connect("gate1", "etc/rollcall/tls")));
  }

  /** Names that are addresses resolve everywhere. */
  private void typeWithAddresses(String lines) {
    type(
        lines
            .replaceAll("'?n\\[0001-2000]'?", "10.20.1.[1-2]")
            .replace("node n0001", "node 10.20.1.1"));
  }

  @Test
  void thoseOfManyNodesOpenConnections() throws Exception {
    type(block("cli.md", "rollcall ca init"));
    type("rollcall ca revoke n001/certificate.pem".replace("n001", folder.resolve("n001") + ""));
    typeWithAddresses(block("cli.md", "rollcall ca issue node 'n["));
    assertEquals("rollcall://alps/node/10.20.1.2", uri(connect("gate1", "tls/10.20.1.2")));
  }

  @Test
  void aKeyThatANodeWithoutDisksMadeAtBootOpensConnections() throws Exception {
    type(block("cli.md", "rollcall ca init").lines().limit(2).reduce("", (a, b) -> a + b + "\n"));
    for (int boot = 0; boot < 2; boot++) {
      typeWithAddresses(block("diskless.md", "n0001# rollcall ca request"));
      Path tls = folder.resolve("etc/rollcall/tls");
      Path given = Files.createDirectories(folder.resolve("root/tls/10.20.1.1"));
      Files.copy(tls.resolve("request.csr"), given.resolve("request.csr"));
      typeWithAddresses(block("diskless.md", "ca# rollcall ca issue"));
      for (String file : List.of("certificate.pem", "ca.pem")) {
        Files.copy(given.resolve(file), tls.resolve(file), StandardCopyOption.REPLACE_EXISTING);
      }
      assertEquals("rollcall://alps/node/10.20.1.1", uri(connect("gate1", "etc/rollcall/tls")));
    }
  }

  @Test
  void oneOfAnotherAuthorityIsRefused() throws Exception {
    type(block("cli.md", "rollcall ca init"));
    type(block("install.md", "rollcall ca init"));
    assertThrows(CompletionException.class, () -> connect("gate1", "root/tls/n001"));
  }

  /** Each in a new authority; the words in capitals stand for something. */
  @Test
  void everyOtherPlaceNamesCommandsThatIssueACertificate() throws Exception {
    var typed = new ArrayList<String>();
    for (Path file : withCommands()) {
      for (MatchResult found : ISSUE.matcher(Files.readString(file)).results().toList()) {
        if (found.group(1).contains(" --request ")) {
          continue; // aKeyThatNeverLeavesItsNodeOpensConnections() types it
        }
        String words =
            found
                .group(1)
                .replace("ADDRESS", "10.20.0.9")
                .replace("NAME", "alice")
                .replaceAll(" --(out|directory) \\S+", "")
                .strip();
        Path own = folder.resolve("authority" + typed.size());
        type("rollcall ca init --cluster alps --directory " + own);
        type("rollcall ca " + words + " --directory " + own + " --out " + own + "-out");
        typed.add(words);
      }
    }
    assertTrue(typed.contains("issue monitor prometheus"));
    assertTrue(typed.contains("issue administrator alice"), typed.toString());
    assertTrue(typed.size() > 15, typed.toString());
  }

  private static List<Path> withCommands() throws IOException {
    Path home = requireNonNull(DOCS.getParent());
    try (Stream<Path> pages = Files.list(DOCS)) {
      return Stream.concat(
              pages.filter(page -> page.toString().endsWith(".md")),
              Stream.of(
                      "README.md",
                      "deploy/helm/rollcall/README.md",
                      "gateway/src/main/resources/dev/rollcall/gateway/console/js/problems.js",
                      "deploy/src/build/resources/dev/rollcall/deploy/share/examples.txt")
                  .map(home::resolve))
          .toList();
    }
  }

  private static int uriFirst(String one, String other) {
    return Boolean.compare(other.startsWith("rollcall:"), one.startsWith("rollcall:"));
  }

  private static String uri(List<String> names) {
    return names.stream().filter(name -> name.startsWith("rollcall:")).findFirst().orElseThrow();
  }
}
