package dev.rollcall.lab.packages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.tree.SourceTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The policy module, by the interfaces and the compiler of Debian's reference policy. */
@Tag("root")
class SelinuxTest {
  private static final Path SOURCE = SourceTree.DEPLOY.resolve("selinux");

  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void copy() throws IOException {
    for (String ending : new String[] {"te", "if", "fc"}) {
      Files.copy(SOURCE.resolve("rollcall." + ending), folder.resolve("rollcall." + ending));
    }
  }

  private Command.Ran make() {
    return Command.run(
        folder, Map.of(), "make", "-f", "/usr/share/selinux/devel/Makefile", "rollcall.pp");
  }

  @Test
  void itCompiles() throws IOException {
    Command.Ran ran = make();

    assertEquals(0, ran.status(), ran::said);
    String compiled = Files.readString(folder.resolve("rollcall.pp"), StandardCharsets.ISO_8859_1);
    // Debian's policy does not have the type: the block is in the module, and has no effect there.
    assertTrue(compiled.contains("sshd_session_t"), ran::said);
  }

  @Test
  void theCompilerNamesATypeThatIsNotThere() throws IOException {
    Path te = folder.resolve("rollcall.te");
    Files.writeString(te, Files.readString(te) + "allow sshd_t nowhere_t:dir search;\n");

    Command.Ran ran = make();

    assertNotEquals(0, ran.status());
    assertTrue(ran.said().contains("nowhere_t"), ran::said);
  }
}
