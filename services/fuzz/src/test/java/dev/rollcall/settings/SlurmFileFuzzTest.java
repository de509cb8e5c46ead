package dev.rollcall.settings;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.file.Path;

/** Files in Slurm's syntax, and cgroup.conf as one of them. */
class SlurmFileFuzzTest {
  private static final ScratchFile FILE = new ScratchFile(".conf");

  @FuzzTest
  void fuzz(byte[] input) {
    Path file = FILE.with(input);
    var read = SlurmLines.read(file);
    for (SlurmLines.Line line : read.lines()) {
      assertFalse(line.pairs().isEmpty());
      for (SlurmLines.Pair pair : line.pairs()) {
        assertTrue(pair.key().matches("[A-Za-z][A-Za-z0-9_]*"), pair.key());
        assertTrue(pair.place().line() >= 1, () -> "line " + pair.place().line());
      }
    }
    for (Problem problem : read.problems()) {
      assertFalse(problem.text().isBlank());
    }
    try {
      CgroupConf.read(file);
    } catch (BadConfigException e) {
      assertTrue(String.valueOf(e.getMessage()).contains(file.toString()), e.getMessage());
    }
  }
}
