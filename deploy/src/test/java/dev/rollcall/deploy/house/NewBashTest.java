package dev.rollcall.deploy.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RHEL 8 has bash 4.4, as bash and as sh. Scripts of sh are also shellcheck's. */
class NewBashTest {
  private static final Path HOME = Path.of("target/rollcall");
  private static final Pattern SCRIPT =
      Pattern.compile("^(#!.*\\b(ba)?sh\\b|# shellcheck shell=|# bash completion)");

  /** The launcher of the sources, what it reads, what makes packages, and what is shipped. */
  private static List<Path> scripts() throws IOException {
    var scripts =
        Stream.of("../rollcall", "../services/lab/tiers.sh", "../services/lab/lint/lints.sh")
            .map(Path::of);
    var shipped =
        Stream.concat(files(HOME), files(Path.of("packages"))).filter(NewBashTest::isScript);
    return Stream.concat(scripts, shipped).sorted().toList();
  }

  private static Stream<Path> files(Path folder) throws IOException {
    try (var all = Files.walk(folder)) {
      return all
          .filter(Files::isRegularFile)
          .filter(file -> !file.toString().matches(".*\\.(jar|so|aot|md|json)"))
          .toList()
          .stream();
    }
  }

  private static boolean isScript(Path file) {
    try {
      byte[] start = new byte[80];
      try (var bytes = Files.newInputStream(file)) {
        int length = bytes.readNBytes(start, 0, start.length);
        String text = new String(start, 0, length, StandardCharsets.ISO_8859_1);
        return file.toString().endsWith(".spec")
            || file.toString().contains("bash-completion")
            || SCRIPT.matcher(text).find();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void noScriptNeedsABashAfterThatOfRhel8() throws IOException {
    Map<Path, List<String>> found = new TreeMap<>();
    for (Path script : scripts()) {
      List<String> there = NewBash.in(Files.readString(script));
      if (!there.isEmpty()) {
        found.put(script, there);
      }
    }
    assertEquals(Map.of(), found);
  }

  @Test
  void scriptsOfEachKindAreRead() throws IOException {
    List<String> names = scripts().stream().map(Path::toString).toList();
    for (String name :
        List.of(
            "../rollcall",
            "target/rollcall/bin/rollcall",
            "target/rollcall/lib/nhc/rollcall.nhc",
            "target/rollcall/lib/slurm/prolog",
            "target/rollcall/lib/uninstall",
            "target/rollcall/share/bash-completion/completions/rollcall",
            "packages/build",
            "packages/debian/rollcall-agent.prerm",
            "packages/rpm/rollcall.spec")) {
      assertTrue(names.contains(name), () -> name + " is not among " + names);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "began=$EPOCHREALTIME",
        "wait -n -p ended",
        "wait -np ended",
        "wait -f \"$pid\"",
        "local -I name",
        "echo ${name@U}",
        "echo \"${all[@]@K}\"",
        "echo $SRANDOM",
        "shopt -s localvar_inherit",
        "shopt -u patsub_replacement",
        "now=${ date; }",
        "GLOBSORT=size"
      })
  void aLaterFeatureIsFound(String line) {
    assertEquals(1, NewBash.in("#!/bin/bash\n  " + line + "\n").size(), line);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "wait -n",
        "wait \"$pid\"",
        "echo ${name@Q} ${name^^} \"${all[@]}\"",
        "local -r name",
        "mapfile -d '' -t names",
        "# wait -p is of 5.1"
      })
  void whatBash44HasIsNotFound(String line) {
    assertEquals(List.of(), NewBash.in(line + "\n"));
  }
}
