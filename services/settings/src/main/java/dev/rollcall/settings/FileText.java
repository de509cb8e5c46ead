package dev.rollcall.settings;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The text of a configuration file, or the reason why it cannot be read. */
public sealed interface FileText {
  /** Bytes that a file may have: far more than any site's. */
  int LARGEST = 1 << 20;

  /** Replaces bytes that are not UTF-8 in a text. */
  char NOT_UTF_8 = '\uFFFD';

  record Text(String text) implements FileText {}

  /** It could not be read; the reason is for people. */
  record Unreadable(String reason) implements FileText {}

  /** Reads a file. */
  static FileText of(Path file) {
    try {
      if (Files.size(file) > LARGEST) {
        return new Unreadable("is larger than " + LARGEST + " bytes");
      }
      return new Text(new String(Files.readAllBytes(file), UTF_8));
    } catch (NoSuchFileException e) {
      return new Unreadable("there is no such file");
    } catch (AccessDeniedException e) {
      return new Unreadable("may not be read");
    } catch (IOException e) {
      return new Unreadable("cannot be read: " + e);
    }
  }
}
