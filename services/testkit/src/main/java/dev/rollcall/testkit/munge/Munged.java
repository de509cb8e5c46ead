package dev.rollcall.testkit.munge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A real munged with a key and a socket of its own, in a directory that all may pass. It runs as
 * whoever runs the test.
 */
public final class Munged implements AutoCloseable {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Path directory;
  private final Process process;

  private Munged(Path directory, Process process) {
    this.directory = directory;
    this.process = process;
  }

  /** With a new key. */
  public static Munged start() throws IOException, InterruptedException {
    byte[] key = new byte[1024];
    new SecureRandom().nextBytes(key);
    return start(key);
  }

  /** Another one with the same key, as another node has it. */
  public Munged startTwin() throws IOException, InterruptedException {
    return start(Files.readAllBytes(directory.resolve("key")));
  }

  private static Munged start(byte[] key) throws IOException, InterruptedException {
    // munged wants every directory on the way to be its own or root's; all of /tmp may be written.
    Path directory = Files.createTempDirectory("munged-");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path file = Files.write(directory.resolve("key"), key);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    Process process =
        new ProcessBuilder(
                List.of(
                    "/usr/sbin/munged",
                    "--foreground",
                    "--force",
                    "--key-file=" + file,
                    "--socket=" + directory.resolve("socket"),
                    "--pid-file=" + directory.resolve("pid"),
                    "--log-file=" + directory.resolve("log"),
                    "--seed-file=" + directory.resolve("seed")))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("said").toFile())
            .start();
    var started = new Munged(directory, process);
    started.awaitSocket();
    return started;
  }

  private void awaitSocket() throws IOException, InterruptedException {
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (!answers()) {
      boolean ended = process.waitFor(20, TimeUnit.MILLISECONDS);
      if (ended || System.nanoTime() - until > 0) {
        throw new IOException("munged: " + Files.readString(directory.resolve("said")));
      }
    }
  }

  private boolean answers() throws IOException, InterruptedException {
    return Files.exists(socket())
        && new ProcessBuilder("munge", "--socket=" + socket(), "--no-input", "--output=/dev/null")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor()
            == 0;
  }

  public Path socket() {
    return directory.resolve("socket");
  }

  /** Stops it as SIGSTOP does: connections are still accepted, and nobody answers. */
  public void hang() throws IOException, InterruptedException {
    signal("STOP");
  }

  public void goOn() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    int status =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    if (status != 0) {
      throw new IOException("kill -" + name + " of munged: " + status);
    }
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly().onExit().join();
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }
}
