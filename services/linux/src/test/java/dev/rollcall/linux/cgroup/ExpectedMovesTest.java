package dev.rollcall.linux.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExpectedMovesTest {
  private static final Path PROC = Path.of("/proc");
  private static final Duration LONG = Duration.ofSeconds(20);

  private static void awaitWrites(ExpectedMoves moves, long more) {
    long wanted = moves.writes() + more;
    BoundedWait patience = BoundedWait.of(LONG);
    while (moves.writes() < wanted) {
      assertTrue(patience.pause(), "wrote " + moves.writes() + " of " + wanted);
    }
  }

  @Test
  @Tag("root")
  void writesWhileAMoveIsExpectedAndMovesNobody() throws IOException {
    List<String> before = Files.readAllLines(PROC.resolve("self/cgroup"));
    try (var moves = new ExpectedMoves(PROC)) {
      moves.expect();
      awaitWrites(moves, 3);
      moves.expect();
      awaitWrites(moves, 3);
    }
    assertEquals(before, Files.readAllLines(PROC.resolve("self/cgroup")));
  }

  @Test
  void writesNothingUnasked(@TempDir Path temp) throws InterruptedException {
    // There is no procfs here: a look at it would end the thread.
    try (var moves = new ExpectedMoves(temp)) {
      Thread.sleep(50);
      assertEquals(0, moves.writes());
    }
  }
}
