package dev.rollcall.jobs.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.container.Removals.Progress;
import dev.rollcall.jobs.container.Removals.Stuck;
import dev.rollcall.linux.files.TreeRemoval.Left;
import dev.rollcall.testkit.process.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemovalTurnsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir private Path base = Path.of("/nonexistent");
  private final RemovalQueue queue = new RemovalQueue();

  private Path tree(String name, int files) throws IOException {
    Path tree = Files.createDirectory(base.resolve(name));
    for (int i = 0; i < files; i++) {
      Files.createFile(tree.resolve("file-" + i));
    }
    return RemovalDirectory.in(base, "n1").take(tree);
  }

  private Progress ran(BooleanSupplier goesOn, int turn) {
    try (var removals = new Removals("n1", queue, () -> NOW, goesOn, turn)) {
      Eventually.await(
          Duration.ofMinutes(1),
          () -> removals.progress().waiting() == 0,
          () -> "" + removals.progress());
      return removals.progress();
    }
  }

  @Test
  void aSmallTreeDoesNotWaitForAllOfALargeOne() throws IOException {
    Path large = tree("1", 100);
    Path small = tree("2", 3);
    queue.add(large);
    queue.add(small);
    var seen = new ConcurrentLinkedQueue<String>();
    Progress progress =
        ran(
            () -> {
              seen.add(
                  (Files.exists(large) ? "large " : "") + (Files.exists(small) ? "small" : ""));
              return true;
            },
            10);
    assertEquals(List.of("large small", "large "), seen.stream().distinct().toList());
    assertEquals(105, progress.removed());
  }

  @Test
  void whatGetsNowhereIsStuckAndDoesNotSpin() throws IOException {
    Path tree = tree("1", 1);
    queue.add(tree);
    assertEquals(List.of(new Stuck(tree, List.of(), 0)), ran(() -> false, 10).stuck());
  }

  @Test
  void whatIsOutOfReachIsStuckForThatReason() throws IOException {
    Path tree = tree("1", 1);
    Path aside = base.resolve(".rollcall-n1");
    Files.move(aside, base.resolve("elsewhere"));
    Files.createFile(aside);
    queue.add(tree);
    String why = aside + ": is not a private directory: ENOTDIR (Not a directory)";
    assertEquals(
        List.of(new Stuck(tree, List.of(new Left(".", "java.io.IOException: " + why)), 1)),
        ran(() -> true, 10).stuck());
    assertTrue(Files.exists(base.resolve("elsewhere/gone-1-1/file-0")));
  }

  @Test
  void whatIsGoneAlreadyIsGone() throws IOException {
    queue.add(base.resolve(".rollcall-n1/gone-1-1"));
    assertEquals(List.of(), ran(() -> true, 10).stuck());
    assertFalse(Files.exists(base.resolve(".rollcall-n1")));
  }
}
