package dev.rollcall.wire.grpc;

import dev.rollcall.wire.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** An authority in a directory, made by openssl, with a gateway's and an administrator's keys. */
public record FuzzedPki(Path directory) implements AutoCloseable {
  private static final String CA = "ca";
  private static final String SERVER = "server";
  private static final String CLIENT = "client";

  /** Makes the authority and both certificates in a directory of its own. */
  public static FuzzedPki make(String cluster) throws IOException {
    var pki = new FuzzedPki(Files.createTempDirectory("rollcall-fuzz-pki"));
    pki.issue(CA, List.of());
    pki.issue(SERVER, pki.signed("IP:127.0.0.1,URI:rollcall://" + cluster + "/gateway/gate0"));
    pki.issue(CLIENT, pki.signed("URI:rollcall://" + cluster + "/administrator/root"));
    return pki;
  }

  /** What the gateway shows. */
  public TlsFiles server() {
    return files(SERVER);
  }

  /** What an administrator shows. */
  TlsFiles client() {
    return files(CLIENT);
  }

  private TlsFiles files(String name) {
    return new TlsFiles(path(CA, ".pem"), path(name, ".pem"), path(name, ".key"));
  }

  private Path path(String name, String end) {
    return directory.resolve(name + end);
  }

  private List<String> signed(String alternatives) {
    return List.of(
        "-CA",
        path(CA, ".pem").toString(),
        "-CAkey",
        path(CA, ".key").toString(),
        "-addext",
        "subjectAltName=" + alternatives);
  }

  private void issue(String name, List<String> more) throws IOException {
    var argv = new ArrayList<String>();
    argv.addAll(List.of("openssl", "req", "-x509", "-nodes", "-days", "2", "-newkey", "ec"));
    argv.addAll(List.of("-pkeyopt", "ec_paramgen_curve:prime256v1", "-subj", "/CN=" + name));
    argv.addAll(List.of("-out", path(name, ".pem").toString()));
    argv.addAll(List.of("-keyout", path(name, ".key").toString()));
    argv.addAll(more);
    Path log = path(name, ".log");
    Process openssl =
        new ProcessBuilder(argv).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      if (openssl.waitFor() != 0) {
        throw new IOException("openssl for " + name + ": " + Files.readString(log));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }
}
