package dev.rollcall.lab.gridengine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.tree.SourceTree;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Grid Engine of Debian 12 runs jobs with the shipped prolog and epilog, in a root of its own. The
 * command that these call is a stand-in.
 */
@Tag("machine")
@Tag("full")
class GridEngineHooksTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void itsJobsBeginAndEndAndAnAgentThatIsAwayStopsNone() throws Exception {
    Process process =
        new ProcessBuilder(
                "bash",
                script("root.sh").toString(),
                folder.toString(),
                SourceTree.DISTRIBUTION.resolve("lib/hooks").toAbsolutePath().toString(),
                script("inside.sh").toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("printed").toFile())
            .start();
    try {
      assertTrue(process.waitFor(300, TimeUnit.SECONDS), "it hangs");
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
    }
    assertEquals(
        """
        uid 0: job begin 1 --user alice
        uid 0: job begin 2147503663 --user alice
        uid 0: job begin 2147503664 --user alice
        uid 0: job begin 3 --user alice
        uid 0: job end --wait 0 1
        uid 0: job end --wait 0 2147503663
        uid 0: job end --wait 0 2147503664
        uid 0: job end --wait 0 3
        rollcall: the begin of job 3 was not reported to the agent (status 5): rollcall: no agent answers
        rollcall: the end of job 3 was not reported to the agent (status 5): rollcall: no agent answers
        state of the queue: ''
        """,
        Files.readString(folder.resolve("printed"), UTF_8));
  }

  private Path script(String name) throws IOException {
    Path file = folder.resolve(name);
    try (InputStream text =
        Objects.requireNonNull(GridEngineHooksTest.class.getResourceAsStream(name))) {
      Files.copy(text, file);
    }
    return file;
  }
}
