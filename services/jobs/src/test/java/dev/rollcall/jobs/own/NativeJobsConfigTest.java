package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rollcall.jobs.tree.TreeConfig;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NativeJobsConfigTest {
  @Test
  void aBootIdThatWouldBreakTheJournalIsRefused() {
    var tree = new TreeConfig(Optional.empty(), TreeConfig.Choice.AUTO, Path.of("/proc"));
    var state = Path.of("/state");
    assertThrows(
        IllegalArgumentException.class,
        () -> Rig.config(tree, state, "two words", NativeJobsConfig.Site.OPEN));
  }
}
