package dev.rollcall.wire.grpc;

import dev.rollcall.wire.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A certificate authority in a directory, made by openssl. */
public final class TestPki {
  private final Path directory;

  public TestPki(Path directory) throws Exception {
    this.directory = Files.createDirectories(directory);
    openssl("ca", "rollcall test CA", List.of());
  }

  /** An authority that exists already. */
  static TlsFiles filesIn(Path directory, String name) {
    return new TlsFiles(
        directory.resolve("ca.pem"),
        directory.resolve(name + ".pem"),
        directory.resolve(name + ".key"));
  }

  /**
   * @param alternatives as openssl writes them: {@code IP:127.0.0.1,DNS:localhost}
   */
  public void issue(String name, String alternatives) throws Exception {
    openssl(
        name,
        name,
        List.of(
            "-CA",
            directory.resolve("ca.pem").toString(),
            "-CAkey",
            directory.resolve("ca.key").toString(),
            "-addext",
            "subjectAltName=" + alternatives));
  }

  private void openssl(String file, String commonName, List<String> more) throws Exception {
    var argv = new ArrayList<String>();
    argv.addAll(List.of("openssl", "req", "-x509", "-nodes", "-days", "2", "-newkey", "ec"));
    argv.addAll(List.of("-pkeyopt", "ec_paramgen_curve:prime256v1", "-subj", "/CN=" + commonName));
    argv.addAll(List.of("-out", directory.resolve(file + ".pem").toString()));
    argv.addAll(List.of("-keyout", directory.resolve(file + ".key").toString()));
    argv.addAll(more);
    Path log = directory.resolve(file + ".log");
    Process process =
        new ProcessBuilder(argv).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (!process.waitFor(20, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException("openssl for " + file + ": " + Files.readString(log));
    }
  }
}
