package dev.rollcall.jobs.container;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Reads the subordinate numbers of a user from a file as subuid(5) and subgid(5) describe it. */
final class SubordinateRanges {
  /** No more than the program takes. */
  private static final int MOST = 16;

  private static final int FIELDS = 3;
  private static final String NUMBER = "[1-9][0-9]{0,9}";

  private SubordinateRanges() {}

  /**
   * Returns the ranges of this user as {@code FIRST:COUNT}, in the order of the file. Lines that
   * cannot be read and numbers beyond the kernel's are left out.
   *
   * @throws IOException if the file exists and cannot be read
   */
  static List<String> of(OwnerJob owner, Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file, ISO_8859_1)) {
      return lines
          .map(line -> line.split(":", -1))
          .filter(fields -> fields.length == FIELDS && isOf(fields[0], owner))
          .filter(fields -> fields[1].matches(NUMBER) && fields[2].matches(NUMBER))
          .filter(fields ->
              Long.parseLong(fields[1]) + Long.parseLong(fields[2]) < (1L << Integer.SIZE))
          .limit(MOST)
          .map(fields -> fields[1] + ":" + fields[2])
          .toList();
    } catch (NoSuchFileException none) {
      return List.of();
    }
  }

  private static boolean isOf(String name, OwnerJob owner) {
    return name.equals(owner.user()) || name.equals(Integer.toUnsignedString(owner.uid()));
  }
}
