package dev.rollcall.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which uids are people's. */
class PersonsTest {
  private static final List<Long> SOME =
      List.of(
          0L,
          499L,
          500L,
          999L,
          1_000L,
          60_001L,
          61_184L,
          65_519L,
          65_520L,
          65_534L,
          65_535L,
          200_001L,
          1_200_000_000L,
          4_000_000_000L,
          4_294_967_294L,
          4_294_967_295L);

  private static List<Long> people(Persons persons) {
    return SOME.stream().filter(uid -> persons.has(uid.intValue())).toList();
  }

  @Test
  void areThoseFromTheSitesLeastOn(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("login.defs");
    Files.writeString(file, "# UID_MIN 7\nUID_MIN\t\t\t  500\nUID_MAX 60000\nSYS_UID_MIN 100\n");
    assertEquals(
        List.of(500L, 999L, 1_000L, 60_001L, 65_520L, 200_001L, 1_200_000_000L, 4_000_000_000L),
        people(Persons.of(file)));
  }

  @Test
  void theSitesLeastIsReadBesideACommentInAnotherEncoding(@TempDir Path directory)
      throws IOException {
    Path file = directory.resolve("login.defs");
    Files.write(file, "# f\u00fcr alle\nUID_MIN 500\n".getBytes(StandardCharsets.ISO_8859_1));
    assertEquals(500, Persons.of(file).least());
  }

  @Test
  void areThoseFromAThousandOnWithoutSuchAFile(@TempDir Path directory) {
    assertEquals(
        List.of(1_000L, 60_001L, 65_520L, 200_001L, 1_200_000_000L, 4_000_000_000L),
        people(Persons.of(directory.resolve("none"))));
  }
}
