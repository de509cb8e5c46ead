package dev.rollcall.testkit.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** An authority for one cluster, and a certificate for each node, made by openssl. */
final class Certificates {
  private static final Duration TOOL_DEADLINE = Patience.ofSeconds(20);

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
      // The name says which node may speak, the addresses say for which addresses.
      openssl(
          layout.tls(node, "certificate.pem"),
          layout.tls(node, "key.pem"),
          List.of(
              "-subj", "/CN=" + node.name(),
              "-CA", authority().toString(),
              "-CAkey", authorityKey().toString(),
              "-addext",
                  "subjectAltName=DNS:%s,IP:%s,IP:%s"
                      .formatted(node.name(), node.v4(), node.v6())));
    }
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
