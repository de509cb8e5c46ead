package dev.rollcall.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The program of services/brief, which is built before this module. */
final class BriefProgram {
  /** What the launcher's stand-in ends with: Java would have had its turn. */
  static final int LEFT_TO_JAVA = 99;

  private static final Path PROGRAM =
      Path.of("../brief/target/rollcall-brief").toAbsolutePath().normalize();
  private static final int PATIENCE_SECONDS = 30;

  private final Path folder;
  private final Path launcher;

  BriefProgram(Path folder) throws IOException {
    this.folder = folder;
    launcher = folder.resolve("launcher");
    Files.writeString(
        launcher,
        "#!/bin/sh\nprintf '%s|' \"$ROLLCALL_BRIEF\" \"$@\"\nexit " + LEFT_TO_JAVA + "\n");
    assertTrue(launcher.toFile().setExecutable(true));
  }

  /** As the launcher starts it. */
  ProcessBuilder command(List<String> words) {
    List<String> argv = new ArrayList<>(List.of(PROGRAM.toString(), launcher.toString()));
    argv.addAll(words);
    var builder = new ProcessBuilder(argv);
    builder.environment().keySet().removeIf(name -> name.startsWith("ROLLCALL_"));
    return builder;
  }

  Shell.Ran run(List<String> words) throws IOException, InterruptedException {
    return run(command(words));
  }

  Shell.Ran run(ProcessBuilder builder) throws IOException, InterruptedException {
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    process.getOutputStream().close();
    try {
      assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "it does not end");
    } finally {
      process.destroyForcibly();
    }
    return new Shell.Ran(
        process.exitValue(),
        Files.readString(out, StandardCharsets.UTF_8),
        Files.readString(err, StandardCharsets.UTF_8));
  }
}
