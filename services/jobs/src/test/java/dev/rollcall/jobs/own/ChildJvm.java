package dev.rollcall.jobs.own;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A {@link ChildAgent} as its parent sees it: commands in, results out, and kill -9. */
final class ChildJvm {
  private final Process process;
  private final Writer in;
  private final List<String> said = Collections.synchronizedList(new ArrayList<>());
  private final Thread reader;

  /**
   * @param around a command that starts the JVM as its arguments, or nothing
   */
  ChildJvm(Rig rig, List<String> around) {
    List<String> command = new ArrayList<>(around);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx64m",
            "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(ChildAgent.class.getName());
    command.addAll(
        List.of(rig.choice.name(), rig.roots.getFirst().toString(), rig.state.toString()));
    try {
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    in = process.outputWriter(StandardCharsets.UTF_8);
    reader = Thread.ofPlatform().daemon().start(this::read);
    Rig.await("the child is ready", () -> said.contains("ready"));
  }

  private void read() {
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        said.add(line);
      }
    } catch (IOException killed) {
      // Half a line of a killed process is no result.
    }
  }

  void tell(String command) {
    try {
      in.write(command + "\n");
      in.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Everything it said so far, in order. */
  List<String> said() {
    return List.copyOf(said);
  }

  /** Sends a command and waits for its result. */
  String ask(String command) {
    tell(command);
    String start = command + " = ";
    Rig.await("an answer to " + command, () -> said().stream().anyMatch(s -> s.startsWith(start)));
    return said().stream()
        .filter(line -> line.startsWith(start))
        .reduce((_, last) -> last)
        .orElseThrow()
        .substring(start.length());
  }

  /** SIGKILL; then everything it said before it died is read. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
    reader.join();
  }
}
