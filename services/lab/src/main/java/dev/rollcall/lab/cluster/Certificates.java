package dev.rollcall.lab.cluster;

import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * An authority for one cluster, and certificates by role, made by openssl: one for each node, login
 * node and gateway, and one for an administrator.
 */
final class Certificates {
  private static final Duration TOOL_DEADLINE = Patience.ofSeconds(20);

  /** What a certificate is for, and what its key may do in TLS. */
  private enum Role {
    NODE("serverAuth,clientAuth"),
    LOGIN("serverAuth,clientAuth"),
    GATEWAY("serverAuth,clientAuth"),
    ADMINISTRATOR("clientAuth");

    private final String usage;

    Role(String usage) {
      this.usage = usage;
    }

    String uri(String cluster, String name) {
      return "URI:rollcall://%s/%s/%s".formatted(cluster, name().toLowerCase(Locale.ROOT), name);
    }
  }

  private final ClusterLayout layout;

  Certificates(ClusterLayout layout) {
    this.layout = layout;
  }

  Path authority() {
    return layout.files().resolve("ca.pem");
  }

  private Path authorityKey() {
    return layout.files().resolve("ca.key");
  }

  void write() throws IOException {
    openssl(
        authority(), authorityKey(), List.of("-subj", "/CN=rollcall test cluster " + layout.id()));
    for (NodeAddress node : layout.shape().all()) {
      Files.createDirectories(layout.of(node, "tls"));
      Role role = role(node);
      issue(role.uri(Daemons.CLUSTER, node.name()), role, node, layout.of(node, "tls"));
    }
    issue(
        Role.ADMINISTRATOR,
        "root",
        Files.createDirectories(layout.files().resolve("administrator")),
        List.of(Role.ADMINISTRATOR.uri(Daemons.CLUSTER, "root")));
  }

  private Role role(NodeAddress node) {
    if (node.equals(NodeAddress.LOGIN)) {
      return Role.LOGIN;
    }
    return layout.shape().gates().contains(node) ? Role.GATEWAY : Role.NODE;
  }

  /** A node's certificate as this authority would write it for another cluster. */
  Path inCluster(String cluster, NodeAddress node) throws IOException {
    Path directory = Files.createDirectories(layout.of(node, "tls-of-" + cluster));
    issue(Role.NODE.uri(cluster, node.name()), Role.NODE, node, directory);
    return directory;
  }

  /**
   * The URI says which node may speak, the addresses say for which addresses: the first ones, not
   * those of second cards.
   */
  private void issue(String uri, Role role, NodeAddress node, Path directory) {
    Topology topology = layout.shape().topology();
    var names = new ArrayList<>(List.of(uri, "IP:" + node.v6()));
    if (topology.hasV4(node)) {
      names.add("IP:" + node.v4());
    }
    topology.names(node).forEach(name -> names.add("DNS:" + name));
    issue(role, node.name(), directory, names);
  }

  /**
   * @param directory gets certificate.pem and key.pem
   * @param names as openssl writes them
   */
  private void issue(Role role, String name, Path directory, List<String> names) {
    openssl(
        directory.resolve("certificate.pem"),
        directory.resolve("key.pem"),
        List.of(
            "-subj",
            "/CN=" + name,
            "-CA",
            authority().toString(),
            "-CAkey",
            authorityKey().toString(),
            "-addext",
            "basicConstraints=critical,CA:FALSE",
            "-addext",
            "extendedKeyUsage=" + role.usage,
            "-addext",
            "subjectAltName=" + String.join(",", names)));
  }

  private static void openssl(Path certificate, Path key, List<String> more) {
    var argv =
        new ArrayList<>(
            List.of(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
                "-nodes",
                "-days",
                "2"));
    argv.addAll(List.of("-out", certificate.toString(), "-keyout", key.toString()));
    argv.addAll(more);
    Running.run(TOOL_DEADLINE, argv).outOrThrow("openssl for " + certificate);
  }
}
