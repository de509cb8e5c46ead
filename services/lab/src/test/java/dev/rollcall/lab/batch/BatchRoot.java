package dev.rollcall.lab.batch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.tree.SourceTree;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A new Debian with a batch system and the shipped hooks, in namespaces of its own.
 *
 * @param folder for the root, removed at the end
 * @param packages by their names, with commas
 * @param options of mmdebstrap
 */
public record BatchRoot(Path folder, String release, String packages, List<String> options) {
  /** What the script inside.sh beside the test prints in it. */
  public String run(Class<?> test, Map<String, String> environment)
      throws IOException, InterruptedException {
    var command =
        new ArrayList<>(
            List.of(
                "bash",
                script(BatchRoot.class, "root.sh").toString(),
                folder.toString(),
                SourceTree.DISTRIBUTION.resolve("lib/hooks").toAbsolutePath().toString(),
                script(test, "inside.sh").toString(),
                release,
                packages));
    command.addAll(options);
    Path printed = folder.resolve("printed");
    var builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(printed.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      assertTrue(process.waitFor(400, TimeUnit.SECONDS), "it hangs");
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
    }
    return Files.readString(printed, UTF_8);
  }

  private Path script(Class<?> beside, String name) throws IOException {
    Path file = folder.resolve(name);
    try (InputStream text = Objects.requireNonNull(beside.getResourceAsStream(name))) {
      Files.copy(text, file);
    }
    return file;
  }
}
