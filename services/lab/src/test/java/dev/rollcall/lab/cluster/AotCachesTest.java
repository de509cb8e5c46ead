package dev.rollcall.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.tree.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AotCachesTest {
  @TempDir Path folder = Path.of("unset");

  @Test
  void aProgramThatWroteNoCacheStartsWithoutOne() throws IOException {
    var caches = new AotCaches(folder, "-XX:AOTCache=");
    Files.createFile(folder.resolve("gateway.aot"));
    assertEquals("", caches.options("agent"));
    assertEquals("-XX:AOTCache=" + folder + "/gateway.aot", caches.options("gateway"));
  }

  @Test
  void processesOnNodesReadTheCommandsAndWriteNone() throws IOException {
    var caches = new AotCaches(folder, "-XX:AOTCache=");
    assertEquals(Optional.empty(), caches.variable());
    assertEquals(Optional.empty(), new AotCaches(folder, "-XX:AOTCacheOutput=").variable());
    Files.createFile(folder.resolve("cli.aot"));
    assertEquals(
        Optional.of("ROLLCALL_CLI_OPTS=-XX:AOTCache=" + folder + "/cli.aot"), caches.variable());
  }

  /** `./rollcall runtime` makes those of the packages. */
  @Test
  void packagesKeepNoCodeEither() throws IOException {
    String launcher = Files.readString(SourceTree.ROOT.resolve("rollcall"));
    assertTrue(launcher.contains("-XX:+AOTClassLinking" + AotCaches.NO_CODE + "'"), launcher);
  }

  @Test
  void noneHasCode() {
    var caches = new AotCaches(folder, "-XX:AOTCacheOutput=");
    for (String program : List.of("agent", "gateway", "cli")) {
      String written = "-XX:AOTCacheOutput=" + folder + "/" + program + ".aot" + AotCaches.NO_CODE;
      assertTrue(caches.options(program).startsWith(written), () -> caches.options(program));
    }
  }

  /** Of two JVMs with the same file the first to start would write into a removed one. */
  @Test
  void oneAgentWritesACache() {
    var caches = new AotCaches(folder, "-XX:AOTCacheOutput=");
    assertEquals("", caches.options("agent", NodeAddress.LOGIN));
    assertEquals("", caches.options("agent", NodeAddress.NODE1));
    assertEquals(caches.options("agent"), caches.options("agent", NodeAddress.NODE2));
    assertEquals(caches.options("gateway"), caches.options("gateway", NodeAddress.GATE));
  }
}
