package dev.rollcall.cli.text;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Reads texts that the build puts beside a class. */
public final class JarText {
  private JarText() {}

  /**
   * The whole text.
   *
   * @throws IllegalStateException if there is no such file
   */
  public static String of(Class<?> beside, String name) {
    try (InputStream file = beside.getResourceAsStream(name)) {
      if (file == null) {
        throw new IllegalStateException(name + " is not in the jar");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
