package dev.rollcall.cli.doctor;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.settings.MetricsPlace;
import dev.rollcall.testkit.tls.OpensslAuthority;
import dev.rollcall.wire.grpc.GrpcServices.Certificates;
import dev.rollcall.wire.grpc.VertxSettings;
import dev.rollcall.wire.metrics.HealthReport;
import dev.rollcall.wire.metrics.MetricsServer;
import dev.rollcall.wire.metrics.Readers;
import dev.rollcall.wire.tls.TlsFiles;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeReaderTest {
  @TempDir private Path root = Path.of("");

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private static String why(Seen<?> seen) {
    return assertInstanceOf(Seen.Not.class, seen).why();
  }

  @Test
  void readsTheStackWithItsIncludes() throws IOException {
    write("etc/pam.d/sshd", "@include common-account\naccount required pam_rollcall.so\n");
    write("etc/pam.d/common-account", "account required pam_unix.so\n");
    Seen<List<PamLine>> seen = new NodeReader(root).pam();
    assertEquals(
        List.of("pam_unix.so", "pam_rollcall.so"),
        ((Seen.Got<List<PamLine>>) seen).value().stream().map(PamLine::module).toList());
  }

  /** libpam reads it for root: what is in it decides about logins. */
  @Test
  void anIncludedFileThatCannotBeReadIsNotPassedOver() throws IOException {
    write("etc/pam.d/sshd", "@include common-account\naccount required pam_rollcall.so\n");
    Files.createDirectory(root.resolve("etc/pam.d/common-account"));
    assertTrue(why(new NodeReader(root).pam()).endsWith("common-account cannot be read"));
  }

  /** A user makes such a mount with FUSE; comments and names of people are the site's. */
  @Test
  void bytesThatAreNotUtf8HideNothing() throws IOException {
    latin("proc/self/mounts", "x /home/u/\u00fc fuse rw 0 0\ncg /cg cgroup2 rw 0 0\n");
    latin("cg/cgroup.controllers", "cpu memory\n");
    latin("etc/pam.d/sshd", "# f\u00fcr alle\naccount required pam_rollcall.so\n");
    latin("etc/ssh/sshd_config", "# f\u00fcr alle\nMatch Group g\nMatch Group h\n");
    latin("etc/group", "\u00fc:x:1:\ng:x:2:ann\nh:x:3:\n");
    latin("etc/passwd", "j:x:1:1:J\u00fcrgen:/:/bin/sh\nbob:x:2:3::/:/bin/sh\n");
    var reader = new NodeReader(root);
    assertEquals(2, ((Seen.Got<List<String>>) reader.mounts()).value().size());
    assertEquals(new Seen.Got<>("cpu memory\n"), reader.controllers());
    assertEquals(1, ((Seen.Got<List<PamLine>>) reader.pam()).value().size());
    var blocks = new MatchBlocks(root);
    assertEquals(
        List.of("ann", "bob"),
        blocks.all().stream()
            .map(block -> ((Seen.Got<String>) blocks.example(block.criteria())).value())
            .map(example -> example.replaceFirst("user=([^,]*),.*", "$1"))
            .toList());
  }

  private void latin(String file, String text) throws IOException {
    write(file, "");
    Files.write(root.resolve(file), text.getBytes(ISO_8859_1));
  }

  @Test
  void saysWhichFileIsNotThere() {
    assertTrue(why(new NodeReader(root).pam()).contains("etc/pam.d/sshd"));
    assertTrue(why(new NodeReader(root).mounts()).contains("proc/self/mounts"));
  }

  private Seen<ModuleSeen> module(String line) {
    return new NodeReader(root).module(PamLine.stack("sshd", _ -> Optional.of(line)));
  }

  @Test
  void readsTheVersionInTheModulesFile() throws IOException {
    String line = "account required pam_rollcall.so\n";
    assertEquals(
        new Seen.Got<>(
            new ModuleSeen(Path.of("pam_rollcall.so"), false, Optional.empty(), Optional.empty())),
        module(line));
    assertTrue(why(module("account required pam_unix.so\n")).contains("not in sshd's stack"));
    write("usr/lib/x86_64-linux-gnu/security/pam_rollcall.so", "ELF @(#)pam_rollcall 1.2.3\0more");
    Path file = root.resolve("usr/lib/x86_64-linux-gnu/security/pam_rollcall.so");
    assertEquals(
        new Seen.Got<>(new ModuleSeen(file, true, Optional.of("1.2.3"), Optional.empty())),
        module(line));
    write("opt/pam_rollcall.so", "ELF, and no mark");
    assertEquals(
        new Seen.Got<>(
            new ModuleSeen(
                root.resolve("opt/pam_rollcall.so"), true, Optional.empty(), Optional.empty())),
        module("account required /opt/pam_rollcall.so\n"));
    assertEquals(
        new Seen.Got<>(
            new ModuleSeen(
                root.resolve("opt/no/pam_rollcall.so"), false, Optional.empty(), Optional.empty())),
        module("session required /opt/no/pam_rollcall.so\n" + line));
  }

  @ParameterizedTest
  @CsvSource({"1, 62, 0, x86_64", "1, 183, 0, aarch64", "2, 0, 22, machine 22 of elf.h"})
  void readsTheArchitectureInTheModulesHeader(int order, int first, int second, String expected)
      throws IOException {
    byte[] header = Arrays.copyOf("\u007fELF".getBytes(US_ASCII), 64);
    header[5] = (byte) order;
    header[18] = (byte) first;
    header[19] = (byte) second;
    Path file = Files.createDirectories(root.resolve("opt")).resolve("pam_rollcall.so");
    Files.write(file, header);
    assertEquals(
        new Seen.Got<>(new ModuleSeen(file, true, Optional.empty(), Optional.of(expected))),
        module("account required /opt/pam_rollcall.so\n"));
  }

  @Test
  void findsMatchBlocksThroughIncludes() throws IOException {
    write(
        "etc/ssh/sshd_config",
        "UsePAM yes\nInclude sshd_config.d/*.conf\n# Match User no\nmatch user alice\n");
    write(
        "etc/ssh/sshd_config.d/b.conf",
        "Match Group staff Address 10.0.0.0/8\n X11Forwarding no\n");
    write("etc/ssh/sshd_config.d/a.conf", "Include no/*.conf\nMatch all\n");
    Path folder = root.resolve("etc/ssh");
    assertEquals(
        List.of(
            new MatchBlocks.Block(folder + "/sshd_config.d/a.conf line 2", "all"),
            new MatchBlocks.Block(
                folder + "/sshd_config.d/b.conf line 1", "Group staff Address 10.0.0.0/8"),
            new MatchBlocks.Block(folder + "/sshd_config line 4", "user alice")),
        new MatchBlocks(root).all());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "all | user=nobody,host=client.example,addr=192.0.2.1,laddr=192.0.2.2,lport=22",
        "User !root,a?ice,bob |"
            + " user=axice,host=client.example,addr=192.0.2.1,laddr=192.0.2.2,lport=22",
        "Group staff Host *.site | user=carol,host=x.site,addr=192.0.2.1,laddr=192.0.2.2,lport=22",
        "Group users | user=dave,host=client.example,addr=192.0.2.1,laddr=192.0.2.2,lport=22",
        "Address 10.0.0.0/8,fd77::/64 |"
            + " user=nobody,host=client.example,addr=10.0.0.0,laddr=192.0.2.2,lport=22",
        "Address \"fd77::/64\" |"
            + " user=nobody,host=client.example,addr=fd77::,laddr=192.0.2.2,lport=22",
        "Address 10.1.* LocalPort 2222 |"
            + " user=nobody,host=client.example,addr=10.1.1.1,laddr=192.0.2.2,lport=2222",
        "LocalAddress=10.2.0.1 RDomain vrf1 |"
            + " user=nobody,host=client.example,addr=192.0.2.1,laddr=10.2.0.1,lport=22,rdomain=vrf1"
      })
  void makesAnExampleOfWhomABlockIsFor(String criteria, String example) throws IOException {
    write("etc/group", "staff:x:50:carol,eve\nusers:x:100:\n");
    write("etc/passwd", "dave:x:2004:100::/:/bin/sh\n");
    assertEquals(new Seen.Got<>(example), new MatchBlocks(root).example(criteria));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "User !root | there is nothing positive in User",
        "User | there is nothing positive in User",
        "Group none | no member of group none is known here",
        "Tagged x | doctor has no example for tagged"
      })
  void saysOfWhichBlockThereIsNoExample(String criteria, String why) throws IOException {
    write("etc/group", "staff:x:50:carol\n");
    assertEquals(new Seen.Not<>(why), new MatchBlocks(root).example(criteria));
  }

  @Test
  void readsTheControllersWhereV2IsMounted() throws IOException {
    write("proc/self/mounts", "cgroup2 /cg cgroup2 rw 0 0\n");
    write("cg/cgroup.controllers", "cpu memory\n");
    assertEquals(new Seen.Got<>("cpu memory\n"), new NodeReader(root).controllers());
  }

  /** Users name mount points of FUSE. The kernel leaves a carriage return in them. */
  @Test
  void aCarriageReturnInAMountPointBeginsNoLine() throws IOException {
    String fuse = "f /tmp/a\rcgroup2 /tmp cgroup2 fuse rw 0 0";
    write("proc/self/mounts", fuse + "\ncgroup2 /cg cgroup2 rw 0 0\n");
    write("cg/cgroup.controllers", "cpu memory\n");
    assertEquals(new Seen.Got<>("cpu memory\n"), new NodeReader(root).controllers());
    assertEquals(
        new Seen.Got<>(List.of(fuse, "cgroup2 /cg cgroup2 rw 0 0")), new NodeReader(root).mounts());
  }

  @Test
  void saysThatV2IsNotMounted() throws IOException {
    write("proc/self/mounts", "tmpfs /tmp tmpfs rw 0 0\n");
    assertEquals(
        "controllers of cgroup v2: it is not mounted", why(new NodeReader(root).controllers()));
  }

  @Test
  void namesThoseThatLinger() throws IOException {
    assertEquals(new Seen.Got<>(List.of()), new NodeReader(root).lingering());
    write("var/lib/systemd/linger/alice", "");
    assertEquals(new Seen.Got<>(List.of("alice")), new NodeReader(root).lingering());
  }

  @Test
  void tellsOwnerAndModeOfAFileAndThatItIsMissing() throws IOException {
    write("key.pem", "");
    Path key = root.resolve("key.pem");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r-----"));
    int uid = (Integer) Files.getAttribute(key, "unix:uid");
    assertEquals(new FileSeen.There(key, uid, 0640), NodeReader.file(key));
    Path none = root.resolve("none");
    assertEquals(new FileSeen.Missing(none), NodeReader.file(none));
    assertEquals(new FileSeen.Missing(none), NodeReader.certificate(none));
    assertInstanceOf(FileSeen.Unreadable.class, NodeReader.certificate(key));
  }

  @Test
  void takesDefaultsOnlyForKeysOfAFileThatIsRead() throws IOException {
    Path file = root.resolve("agent.yaml");
    assertTrue(why(NodeReader.settings(file)).contains(file + ": there is no such file"));
    write("agent.yaml", "node: n1\n");
    assertEquals(
        Path.of("/run/rollcall"),
        ((Seen.Got<AgentSettings>) NodeReader.settings(file)).value().runDirectory());
    write(
        "agent.yaml",
        "run_directory: /r\nuser_manager: adopt\ntls: {ca: a, certificate: b, key: c}\n");
    AgentSettings read = ((Seen.Got<AgentSettings>) NodeReader.settings(file)).value();
    assertEquals(Path.of("/r"), read.runDirectory());
    assertEquals("adopt", read.userManager());
    assertEquals(Path.of("c"), read.tls().orElseThrow().key());
    write("agent.yaml", "tls: {ca: a}\n");
    assertTrue(why(NodeReader.settings(file)).contains("'tls.certificate' is missing"));
  }

  @Test
  void saysThatTheAgentCannotBeAsked() {
    assertTrue(
        why(NodeReader.agent(MetricsPlace.parse("127.0.0.1:1"), Optional.empty()))
            .startsWith("the agent's state at 127.0.0.1:1, /health/ready: "));
    Path none = root.resolve("none.sock");
    assertTrue(
        why(NodeReader.agent(MetricsPlace.parse(none.toString()), Optional.empty()))
            .contains(none.toString()));
    assertTrue(
        why(NodeReader.agent(MetricsPlace.parse("10.20.1.1:7451"), Optional.empty()))
            .contains("needs TLS, and agent.yaml has none"));
  }

  /** An agent off loopback requires a certificate, and the node's own is one. */
  @Test
  void asksTheAgentByTlsWithTheNodesCertificate() throws Exception {
    Vertx vertx = VertxSettings.start(VertxSettings.quiet());
    try {
      var authority = new OpensslAuthority(root.resolve("ours"));
      OpensslAuthority.Issued node =
          authority.issue("n1", "n1", "DNS:n1,URI:rollcall://alps/node/n1");
      var server =
          new MetricsServer(
              vertx,
              type -> type,
              () -> new HealthReport(false, "application/json", "{\"ready\":false,\"stages\":[]}"),
              Optional::empty,
              new Readers("alps", Set.of()));
      var files = new TlsFiles(node.ca(), node.certificate(), node.key());
      int port =
          server
              .listen("0.0.0.0", 0, Optional.of(files.identity("alps")), Certificates.REQUIRED)
              .await()
              .port();
      MetricsPlace place = MetricsPlace.parse("0.0.0.0:" + port);
      assertEquals(
          new Seen.Got<>(new AgentSeen(false, Map.of())),
          NodeReader.agent(place, Optional.of(files)));
      var another = new OpensslAuthority(root.resolve("theirs"));
      var distrusted = new TlsFiles(another.ca(), node.certificate(), node.key());
      assertTrue(why(NodeReader.agent(place, Optional.of(distrusted))).contains("PKIX"));
      var keyless = new TlsFiles(node.ca(), node.certificate(), root.resolve("no-key.pem"));
      assertTrue(
          why(NodeReader.agent(place, Optional.of(keyless)))
              .endsWith("no-key.pem, the node's key: ask as root"));
    } finally {
      vertx.close().await();
    }
  }

  @Test
  void asksTheAgentByItsSocket() throws Exception {
    Path socket = root.resolve("metrics.sock");
    String page = "{\"ready\":false,\"stages\":[]}";
    try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      var asked = new CompletableFuture<String>();
      Thread.ofVirtual()
          .start(() -> {
            try (var client = server.accept()) {
              var request = ByteBuffer.allocate(1_000);
              client.read(request);
              asked.complete(new String(request.array(), 0, request.position(), US_ASCII));
              String answer = "HTTP/1.0 503 Service Unavailable\r\n\r\n" + page;
              client.write(ByteBuffer.wrap(answer.getBytes(US_ASCII)));
            } catch (IOException e) {
              asked.completeExceptionally(e);
            }
          });
      assertEquals(
          new Seen.Got<>(new AgentSeen(false, Map.of())),
          NodeReader.agent(MetricsPlace.parse(socket.toString()), Optional.empty()));
      assertTrue(asked.get(10, TimeUnit.SECONDS).startsWith("GET /health/ready HTTP/1."));
    }
  }
}
