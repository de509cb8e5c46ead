package dev.rollcall.deploy.share;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * A command, and the words that may follow it.
 *
 * @param path its words with a blank before each; empty for the program alone
 * @param positions the values of its positions; the last one repeats if {@code repeats}
 */
record CompletedCommand(
    String path,
    List<Word> commands,
    List<Option> options,
    List<Value> positions,
    boolean repeats) {

  /** A subcommand. */
  record Word(String word, String does) {}

  /** An option with all its names. */
  record Option(List<String> names, Value value, String does) {}

  /** The commands that the launcher has besides, which Java does not. */
  private static final List<CompletedCommand> LAUNCHERS =
      List.of(
          launchers(" agent", List.of(configuration())),
          launchers(" gateway", List.of(configuration())),
          launchers(
              " uninstall",
              List.of(
                  new Option(List.of("--end-jobs"), Value.NONE, "End open jobs."),
                  new Option(List.of("--keep-records"), Value.NONE, "Leave state and logs."),
                  new Option(
                      List.of("--part"),
                      Value.oneOf(List.of("agent", "gateway")),
                      "Only the files of this program."))));

  private static final List<Word> LAUNCHERS_WORDS =
      List.of(
          new Word("agent", "Start a node's agent."),
          new Word("gateway", "Start a gateway."),
          new Word("uninstall", "Remove everything that agent and gateway made."));

  private static Option configuration() {
    return new Option(List.of("--config"), Value.FILE, "The configuration.");
  }

  private static CompletedCommand launchers(String path, List<Option> options) {
    return new CompletedCommand(path, List.of(), options, List.of(), false);
  }

  /** All commands, the program itself first. */
  static List<CompletedCommand> all(CommandLine root) {
    List<CompletedCommand> all = new ArrayList<>();
    add("", root, all);
    CompletedCommand first = all.getFirst();
    List<Word> words = new ArrayList<>(first.commands());
    words.addAll(LAUNCHERS_WORDS);
    all.set(0, new CompletedCommand("", words, first.options(), first.positions(), false));
    all.addAll(LAUNCHERS);
    return all;
  }

  private static void add(String path, CommandLine command, List<CompletedCommand> to) {
    CommandSpec spec = command.getCommandSpec();
    List<Word> words = new ArrayList<>();
    command
        .getSubcommands()
        .forEach((word, each) ->
            words.add(new Word(word, first(each.getCommandSpec().usageMessage().description()))));
    List<PositionalParamSpec> positions =
        spec.positionalParameters().stream()
            .sorted(Comparator.comparingInt(each -> each.index().min()))
            .toList();
    to.add(
        new CompletedCommand(
            path,
            words,
            spec.options().stream()
                .filter(option -> !option.hidden())
                .map(CompletedCommand::option)
                .toList(),
            positions.stream().map(Value::of).toList(),
            !positions.isEmpty() && positions.getLast().arity().max() > 1));
    command.getSubcommands().forEach((word, each) -> add(path + " " + word, each, to));
  }

  private static Option option(OptionSpec option) {
    return new Option(List.of(option.names()), Value.of(option), first(option.description()));
  }

  private static String first(String[] lines) {
    return lines.length == 0
        ? ""
        : lines[0].replace("${DEFAULT-VALUE}", "").replace(" (default: ).", ".");
  }
}
