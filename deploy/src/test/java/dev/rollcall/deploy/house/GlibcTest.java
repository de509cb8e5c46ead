package dev.rollcall.deploy.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.testkit.elf.GlibcVersions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * RHEL 8 has glibc 2.28. The files of the distribution, with the libraries in its jars; lab's
 * PackagesTest has those of the packages, with their Java.
 */
class GlibcTest {
  private static final Path HOME = Path.of("target/rollcall");
  private static final int RHEL_8 = 28;

  @Test
  void nothingNeedsALaterGlibcThanThatOfRhel8() throws IOException {
    assertEquals(Map.of(), GlibcVersions.below(HOME).above(RHEL_8));
  }

  @Test
  void allProgramsAndLibrariesAreRead() throws IOException {
    var files = GlibcVersions.below(HOME).versions().keySet();

    assertTrue(
        files.containsAll(
            List.of(
                "pam_rollcall.so",
                "rollcall-brief",
                "rollcall-enter",
                "rollcall-namespaces",
                "rollcall-step")),
        files::toString);
    assertTrue(
        files.stream().anyMatch(file -> file.contains("!META-INF/native/libnetty")),
        files::toString);
  }

  /** glibc 2.14 has a memcpy of its own. */
  @Test
  void aLaterVersionIsFoundWhereOneIsNeeded() throws IOException {
    var above = GlibcVersions.below(HOME.resolve("lib/security")).above(13);

    assertTrue(
        above.getOrDefault("pam_rollcall.so", List.of()).contains("GLIBC_2.14"), above::toString);
  }
}
