package dev.rollcall.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Packages are made on one processor and run on another. */
@Tag("cluster")
class AotCodeClusterTest {
  @ParameterizedTest
  @ValueSource(strings = {"agent", "gateway"})
  void aCacheHasNoCodeOfTheProcessorThatItWasMadeOn(String program) {
    AotCaches caches = AotCaches.of(SourceTree.DISTRIBUTION).orElseThrow();
    String options = caches.options(program) + " -Xlog:aot*=info";
    String variable = "ROLLCALL_" + program.toUpperCase(Locale.ROOT) + "_OPTS=" + options;
    String home = "JAVA_HOME=" + System.getProperty("java.home");
    String launcher = SourceTree.DISTRIBUTION.resolve("bin/rollcall").toString();
    Result result =
        Running.run(
            Patience.ofSeconds(60), List.of("env", home, variable, launcher, program, "--no"));
    String said = result.out() + result.err();

    assertTrue(said.contains("Opened AOT cache"), said);
    assertFalse(said.contains("AOT code entries"), said);
  }
}
