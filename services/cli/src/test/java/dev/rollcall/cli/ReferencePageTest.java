package dev.rollcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.cli.ask.CliContext;
import dev.rollcall.cli.exit.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** docs/cli.md names every command and option, and the exit codes that there are. */
class ReferencePageTest {
  private static final Set<String> EVERYWHERE = Set.of("--help", "-h", "-V", "--version");

  @Test
  void everyCommandAndOptionIsThere() throws IOException {
    String page = page();
    var missing = new TreeSet<String>();
    var outside = new CliContext(Shell.USERS, Optional.empty());
    collect(CommandTree.of(outside), "", missing);
    missing.removeIf(words ->
        words.startsWith("--")
            ? page.matches("(?s).*" + words + "(?![a-z-]).*")
            : page.contains("`" + words));
    assertEquals(Set.of(), missing);
  }

  private static void collect(CommandLine command, String name, Set<String> words) {
    command.getCommandSpec().options().stream()
        .filter(option -> !option.hidden())
        .forEach(option -> words.addAll(Set.of(option.names())));
    words.removeAll(EVERYWHERE);
    command
        .getSubcommands()
        .forEach((word, subcommand) -> {
          String full = name.isEmpty() ? word : name + " " + word;
          if (subcommand.getSubcommands().isEmpty()) {
            words.add(full);
          }
          collect(subcommand, full, words);
        });
  }

  @Test
  void everyExitCodeIsThere() throws IOException {
    String page = page();
    for (ExitCode code : ExitCode.values()) {
      assertEquals(1, page.split("\\| " + code.status() + " \\|", -1).length - 1, code.name());
    }
  }

  private static String page() throws IOException {
    return Files.readString(Path.of("../../docs/cli.md"));
  }
}
