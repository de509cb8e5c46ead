package dev.rollcall.load.lookup;

import dev.rollcall.load.bench.AtExit;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.gateway.Favoured;
import dev.rollcall.wire.tls.TlsFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An {@link Echo} in a process of its own, on a JVM with the flags of a gateway's. */
record EchoProcess(Process process, int port, AtExit atExit) implements AutoCloseable {
  private static final List<String> FLAGS =
      List.of(
          "-XX:+UseSerialGC",
          "-Xmx512m",
          "-XX:+UseCompactObjectHeaders",
          "-XX:-UsePerfData",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");

  static EchoProcess start(Optional<TlsFiles> tls) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
    command.addAll(FLAGS);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Echo.class.getName()));
    tls.ifPresent(files ->
        List.of(files.ca(), files.certificate(), files.key())
            .forEach(file -> command.add(file.toString())));
    try {
      Process process =
          new ProcessBuilder(Favoured.command(command.toArray(String[]::new)))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      AtExit atExit = AtExit.of(process::destroyForcibly);
      return new EchoProcess(process, port(process), atExit);
    } catch (IOException e) {
      throw new BenchFailedException("cannot start the echo: " + e.getMessage(), e);
    }
  }

  private static int port(Process process) throws IOException {
    var said =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
    String line = said.readLine();
    if (line == null) {
      process.destroyForcibly();
      throw new BenchFailedException("the echo ended before it listened");
    }
    return Integer.parseInt(line);
  }

  @Override
  public void close() {
    process.destroyForcibly();
    atExit.forget();
  }
}
