package dev.rollcall.load.bench;

import dev.rollcall.testkit.process.RigException;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Programs in C, compiled where they run. */
public final class CProgram {
  private static final Duration COMPILED_WITHIN = Duration.ofMinutes(1);

  private CProgram() {}

  /**
   * @param owner whose resource NAME.c is
   * @param libraries as {@code "-lpam"}
   * @return the program, in the directory
   */
  public static Path compile(Class<?> owner, String name, Path directory, String... libraries) {
    Path source = directory.resolve(name + ".c");
    Path program = directory.resolve(name);
    try (InputStream text = owner.getResourceAsStream(name + ".c")) {
      if (text == null) {
        throw new BenchFailedException("resource " + name + ".c is missing");
      }
      Files.copy(text, source);
      var gcc = new ArrayList<>(List.of("gcc", "-std=gnu11", "-O2", "-Wall", "-Wextra"));
      gcc.addAll(List.of("-o", program.toString(), source.toString()));
      gcc.addAll(List.of(libraries));
      Running.run(COMPILED_WITHIN, gcc).outOrThrow("gcc of " + name + ".c");
      return program;
    } catch (IOException | RigException e) {
      throw new BenchFailedException("cannot compile " + name + ".c: " + e.getMessage(), e);
    }
  }
}
