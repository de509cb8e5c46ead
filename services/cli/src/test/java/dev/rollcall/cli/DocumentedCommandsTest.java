package dev.rollcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.cli.ask.CliContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The pages name only commands and options that exist. */
class DocumentedCommandsTest {
  private static final Path HOME = Path.of(System.getProperty("rollcall.home", "../.."));

  /** In a block of code, behind a prompt or none, and within a line. */
  private static final List<Pattern> COMMANDS =
      List.of(
          Pattern.compile("(?m)^(?:[a-z0-9,]*[#$] )?rollcall ([a-z-][^\n]*)"),
          Pattern.compile("`rollcall ([a-z-][^`]*)`"));

  /** The launcher's own. */
  private static final Set<String> LAUNCHERS = Set.of("agent", "gateway", "uninstall");

  /** What follows is a shell's, a comment, or a program that {@code job run} starts. */
  private static final Pattern END =
      Pattern.compile("\\s(#|\\||>|&&|;|-- |\\\\$).*", Pattern.DOTALL);

  private static final Pattern OPTION = Pattern.compile("--[a-z][a-z-]*|-[a-z]");

  private static final CommandLine TREE = CommandTree.of(CliContext.NONE);

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.list(HOME.resolve("docs"))) {
      return Stream.concat(
              docs.filter(page -> page.toString().endsWith(".md")),
              Stream.of(HOME.resolve("README.md"), HOME.resolve("deploy/helm/rollcall/README.md")))
          .toList();
    }
  }

  private static List<String> commands(String text) {
    return COMMANDS.stream()
        .flatMap(pattern -> pattern.matcher(text).results())
        .map((MatchResult found) -> END.matcher(found.group(1)).replaceFirst(""))
        .toList();
  }

  /** Empty: the command exists, with each of its options. */
  private static String problem(String command) {
    List<String> words = List.of(command.trim().split("\\s+"));
    if (LAUNCHERS.contains(words.getFirst())) {
      return "";
    }
    CommandLine reached = TREE;
    for (String word : words) {
      if (OPTION.matcher(word.replaceFirst("=.*", "")).matches()) {
        if (reached.getCommandSpec().findOption(word.replaceFirst("=.*", "")) == null) {
          return "'%s' has no option %s".formatted(reached.getCommandSpec().qualifiedName(), word);
        }
      } else if (!reached.getSubcommands().isEmpty() && word.matches("[a-z-]+")) {
        CommandLine next = reached.getSubcommands().get(word);
        if (next == null) {
          return "'%s' has no command %s".formatted(reached.getCommandSpec().qualifiedName(), word);
        }
        reached = next;
      }
    }
    return "";
  }

  @Test
  void eachCommandOfThePagesExists() throws IOException {
    var problems = new ArrayList<String>();
    int found = 0;
    for (Path page : pages()) {
      for (String command : commands(Files.readString(page))) {
        found++;
        String problem = problem(command);
        if (!problem.isEmpty()) {
          problems.add(HOME.relativize(page) + ": rollcall " + command + ": " + problem);
        }
      }
    }
    assertEquals(List.of(), problems);
    assertTrue(found > 100, found + " commands");
  }

  @Test
  void aCommandThatDoesNotExistIsFound() {
    assertEquals(
        List.of("ca issue admin alice", "nodes --gate 1"),
        commands("```\n$ rollcall ca issue admin alice\n```\nor `rollcall nodes --gate 1`"));
    assertEquals("'rollcall nodes' has no option --gate", problem("nodes --gate 1"));
    assertEquals("'rollcall' has no command node-list", problem("node-list"));
  }
}
