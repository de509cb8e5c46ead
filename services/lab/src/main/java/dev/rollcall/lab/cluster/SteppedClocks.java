package dev.rollcall.lab.cluster;

import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;

/**
 * The wall clock of each node's Rollcall processes, which can be stepped: a library of our own is
 * preloaded into them (clock_step.c). A time namespace has no offset for CLOCK_REALTIME
 * (time_namespaces(7)), and the machine's own clock is not ours. What waits in the kernel for a
 * wall time does not see the step; the JVM waits by the monotonic clock.
 */
final class SteppedClocks {
  private static final Duration TOOL_DEADLINE = Patience.ofSeconds(30);

  private final ClusterLayout layout;

  SteppedClocks(ClusterLayout layout) {
    this.layout = layout;
  }

  /** Compiles the library, by gcc. */
  void write() throws IOException {
    for (NodeAddress node : layout.shape().all()) {
      Files.createDirectories(file(node).getParent());
      step(node, Duration.ZERO);
    }
    Running.run(
            TOOL_DEADLINE,
            List.of(
                "gcc",
                "-O2",
                "-Wall",
                "-shared",
                "-fPIC",
                "-o",
                library().toString(),
                layout.script("clock_step.c").toString(),
                "-ldl"))
        .outOrThrow("gcc for clock_step.c");
  }

  /** How far a node's clock is from the machine's from now on. */
  void step(NodeAddress node, Duration by) throws IOException {
    var seconds =
        ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(by.toSeconds());
    try (var file =
        Files.newByteChannel(file(node), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      int written = file.write(seconds.flip());
      if (written != Long.BYTES) {
        throw new IOException("a short write to " + file(node));
      }
    }
  }

  /** What leads to the library, as words of env(1). */
  List<String> environment(NodeAddress node) {
    return List.of("LD_PRELOAD=" + library(), "ROLLCALL_CLOCK_STEP=" + file(node));
  }

  private Path library() {
    return layout.files().resolve("clock_step.so");
  }

  private Path file(NodeAddress node) {
    return layout.of(node, "clock");
  }
}
