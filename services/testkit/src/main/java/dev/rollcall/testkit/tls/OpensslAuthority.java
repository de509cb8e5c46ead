package dev.rollcall.testkit.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A certificate authority in a directory, made by openssl. */
public final class OpensslAuthority {
  private static final int PATIENCE_SECONDS = 60;

  /** The PEM files of one identity. */
  public record Issued(Path ca, Path certificate, Path key) {}

  private final Path directory;

  public OpensslAuthority(Path directory) throws IOException, InterruptedException {
    this.directory = Files.createDirectories(directory);
    openssl("ca", "test authority", List.of());
  }

  public Path ca() {
    return directory.resolve("ca.pem");
  }

  /**
   * Issues a certificate and its key.
   *
   * @param file what its files are called
   * @param alternatives as openssl writes them: {@code IP:127.0.0.1,URI:rollcall://alps/node/n1}
   */
  public Issued issue(String file, String commonName, String alternatives)
      throws IOException, InterruptedException {
    openssl(
        file,
        commonName,
        List.of(
            "-CA",
            ca().toString(),
            "-CAkey",
            directory.resolve("ca.key").toString(),
            "-addext",
            "subjectAltName=" + alternatives));
    return new Issued(ca(), directory.resolve(file + ".pem"), directory.resolve(file + ".key"));
  }

  private void openssl(String file, String commonName, List<String> more)
      throws IOException, InterruptedException {
    var argv = new ArrayList<String>();
    argv.addAll(List.of("openssl", "req", "-x509", "-nodes", "-days", "2", "-newkey", "ec"));
    argv.addAll(List.of("-pkeyopt", "ec_paramgen_curve:prime256v1", "-subj", "/CN=" + commonName));
    argv.addAll(List.of("-out", directory.resolve(file + ".pem").toString()));
    argv.addAll(List.of("-keyout", directory.resolve(file + ".key").toString()));
    argv.addAll(more);
    Path log = directory.resolve(file + ".log");
    Process process =
        new ProcessBuilder(argv).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("openssl for " + file + " did not end");
    }
    if (process.exitValue() != 0) {
      throw new IOException("openssl for " + file + ": " + Files.readString(log));
    }
  }
}
