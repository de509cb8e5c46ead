package dev.rollcall.deploy.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Asks the shipped programs what keys they know: a program names them when it refuses one. */
class ConfigurationPageTest {
  private static final Path LAUNCHER = Path.of("target/rollcall/bin/rollcall").toAbsolutePath();
  private static final Pattern REFUSED =
      Pattern.compile("unknown key '([^']*)'; known are ([a-z_, ]+)");
  private static final int EX_CONFIG = 78;

  @TempDir Path folder = Path.of("unset");

  @ParameterizedTest
  @ValueSource(strings = {"agent", "gateway"})
  void listsTheKeysThatTheProgramKnows(String program) throws Exception {
    Set<String> known = new TreeSet<>(knownBy(program, "made_up: 1\n"));
    knownBy(program, "tls: {ca: /ca, certificate: /certificate, key: /key, made_up: 1}\n")
        .forEach(key -> known.add("tls." + key));

    assertEquals(known, page(program).rows());
  }

  /** Everything in an example is understood: what is refused is the key that follows it. */
  @ParameterizedTest
  @ValueSource(strings = {"agent", "gateway"})
  void itsExamplesAreTaken(String program) throws Exception {
    List<String> examples = page(program).yaml();

    assertFalse(examples.isEmpty());
    for (String example : examples) {
      knownBy(program, example + "made_up: 1\n");
    }
  }

  @Test
  void listsTheOptionsThatTheModuleKnows() throws IOException {
    Path home = Path.of(System.getProperty("rollcall.home", ".."));
    String source = Files.readString(home.resolve("services/pam/src/options.c"));
    Set<String> known =
        Pattern.compile("IS\\(\"([a-z0-9_]+)\"\\)")
            .matcher(source)
            .results()
            .map(result -> result.group(1))
            .collect(Collectors.toCollection(TreeSet::new));

    assertTrue(known.size() > 10, known.toString());
    assertEquals(known, Page.read("pam.md").section("## Options").rows());
  }

  private static Page page(String program) throws IOException {
    return Page.read("configuration.md").section("## " + program + ".yaml");
  }

  private Set<String> knownBy(String program, String yaml) throws Exception {
    Path config = Files.writeString(folder.resolve(program + ".yaml"), yaml);
    Path said = folder.resolve("said");
    Process process =
        new ProcessBuilder(LAUNCHER.toString(), program, "--config", config.toString())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError(program + " went on with a key that is made up");
    }
    Matcher refused = REFUSED.matcher(Files.readString(said));
    assertTrue(refused.find(), () -> "no word about keys: " + read(said));
    assertEquals("made_up", refused.group(1), () -> read(said));
    assertEquals(EX_CONFIG, process.exitValue());
    return Set.of(refused.group(2).split(", ", -1));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
