package dev.rollcall.deploy.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.cli.CommandTree;
import dev.rollcall.cli.ask.CliContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Completion in real shells, beside a command that answers as an agent would have it answer. */
class CompletionTest {
  @TempDir private static Path directory = Path.of("");

  enum Shell {
    BASH {
      @Override
      List<String> program(String line, int words) {
        return List.of(
            "bash",
            "--norc",
            "-c",
            ". %s; COMP_WORDS=(%s); COMP_CWORD=%d; _rollcall; printf '%%s\\n' \"${COMPREPLY[@]}\""
                .formatted(directory.resolve("bash"), line.replaceFirst(" $", " \"\""), words));
      }
    },
    ZSH {
      // compadd prints: the widget's own needs a terminal.
      @Override
      List<String> program(String line, int words) {
        return List.of(
            "zsh",
            "-f",
            "-c",
            ("compdef() { }; compadd() { shift; print -l -- \"$@\"; }; _files() { print '=file'; };"
                    + " . %s; words=(%s); CURRENT=%d; _rollcall | grep -- \"^=\\|^${words[CURRENT]}\"")
                .formatted(directory.resolve("zsh"), line.replaceFirst(" $", " \"\""), words + 1));
      }
    },
    FISH {
      @Override
      List<String> program(String line, int words) {
        return List.of(
            "fish",
            "--no-config",
            "-c",
            "source %s; complete -C '%s' | cut -f1".formatted(directory.resolve("fish"), line));
      }
    };

    abstract List<String> program(String line, int words);

    List<String> offers(String line) throws IOException, InterruptedException {
      int words = line.split(" ", -1).length - 1;
      var builder = new ProcessBuilder(program(line, words)).redirectErrorStream(true);
      builder.environment().put("PATH", directory.resolve("bin") + ":/usr/bin:/bin");
      builder.environment().put("HOME", directory.toString());
      builder.directory(directory.toFile());
      Process process = builder.start();
      try (var output = process.inputReader()) {
        List<String> lines = output.lines().filter(each -> !each.isBlank()).sorted().toList();
        process.waitFor();
        return lines;
      }
    }
  }

  @BeforeAll
  static void write() throws IOException {
    var completion = new ShellCompletion(CommandTree.of(CliContext.NONE));
    Files.writeString(directory.resolve("bash"), completion.bash());
    Files.writeString(directory.resolve("zsh"), completion.zsh());
    Files.writeString(directory.resolve("fish"), completion.fish());
    Path bin = Files.createDirectory(directory.resolve("bin"));
    Files.writeString(
        bin.resolve("rollcall"),
        """
        #!/bin/sh
        case "$*" in
          "jobs --json --timeout 1")
            [ -e away ] && { echo "rollcall: nobody answered" >&2; exit 5; }
            echo '[{"job":41,"batch_id":"40_1","name":"a b","node":"n1"},{"job":42,"batch_id":null,"name":"c","node":"n2"}]' ;;
          "nodes --json --timeout 1") echo '[{"node":"n1","state":"connected"},{"node":"n2"}]' ;;
        esac
        """);
    Files.setPosixFilePermissions(
        bin.resolve("rollcall"), PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(directory.resolve("jobs.conf"), "");
  }

  @ParameterizedTest
  @EnumSource
  void completesCommands(Shell shell) throws Exception {
    assertEquals(List.of("sessions"), shell.offers("rollcall sess"));
    assertEquals(List.of("begin"), shell.offers("rollcall job beg"));
    assertEquals(List.of("uninstall"), shell.offers("rollcall unin"));
  }

  @ParameterizedTest
  @EnumSource
  void completesOptions(Shell shell) throws Exception {
    assertEquals(List.of("--next"), shell.offers("rollcall switch --ne"));
    assertEquals(List.of("--socket"), shell.offers("rollcall job end --gr 3 --sock"));
    assertTrue(shell.offers("rollcall uninstall --").contains("--keep-records"));
  }

  @ParameterizedTest
  @EnumSource
  void completesJobsAndNodesThatAreThere(Shell shell) throws Exception {
    assertEquals(List.of("40_1", "41", "42"), shell.offers("rollcall switch 4"));
    List<String> all = List.of("40_1", "41", "42", "latest", "name-c");
    assertEquals(all, shell.offers("rollcall ps "));
    assertEquals(all, shell.offers("rollcall node clean --wait 3s --job "));
    assertEquals(List.of("n1", "n2"), shell.offers("rollcall explain alice n"));
    assertEquals(List.of("n1", "n2"), shell.offers("rollcall jobs --node n"));
  }

  @ParameterizedTest
  @EnumSource
  void completesWordsOfAnOption(Shell shell) throws Exception {
    assertEquals(List.of("agent"), shell.offers("rollcall uninstall --part a"));
  }

  @ParameterizedTest
  @EnumSource
  void offersNothingAndPrintsNothingWithoutAnAgent(Shell shell) throws Exception {
    Path away = Files.createFile(directory.resolve("away"));
    try {
      assertEquals(List.of(), shell.offers("rollcall ps "));
    } finally {
      Files.delete(away);
    }
  }

  @Test
  void filesAreTheShellsToOffer() throws Exception {
    assertEquals(List.of("jobs.conf"), Shell.BASH.offers("rollcall config check jo"));
    assertEquals(List.of("=file"), Shell.ZSH.offers("rollcall config check jo"));
    assertTrue(Shell.FISH.offers("rollcall config check jo").contains("jobs.conf"));
    assertFalse(Shell.FISH.offers("rollcall ps jo").contains("jobs.conf"));
  }
}
