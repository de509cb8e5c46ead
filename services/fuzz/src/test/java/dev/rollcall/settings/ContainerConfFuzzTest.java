package dev.rollcall.settings;

import static org.junit.jupiter.api.Assertions.assertFalse;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rollcall.settings.container.ContainerConf;
import dev.rollcall.settings.container.ContainerReading;

/** The site's file about containers, in both of its syntaxes: an input says by itself in which. */
class ContainerConfFuzzTest {
  private static final ScratchFile FILE = new ScratchFile(".conf");

  @FuzzTest
  void fuzz(byte[] input) {
    switch (ContainerConf.read(FILE.with(input))) {
      case ContainerReading.Good(ContainerConf conf, var _) -> {
        conf.on("node1", "node1.example");
        conf.sets();
      }
      case ContainerReading.Bad(var problems) -> assertFalse(problems.isEmpty());
    }
  }
}
