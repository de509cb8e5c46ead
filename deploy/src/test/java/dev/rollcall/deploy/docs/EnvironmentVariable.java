package dev.rollcall.deploy.docs;

import dev.rollcall.cli.CommandTree;
import dev.rollcall.cli.ask.CliContext;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * A variable that stands for an option, or a word, that is left out.
 *
 * @param instead of what, as users write it
 * @param says the option's description
 */
record EnvironmentVariable(String name, String instead, String says) {
  private static final Pattern DEFAULT = Pattern.compile("\\$\\{env:([A-Z_]+)\\}");

  /** All that some command knows. */
  static List<EnvironmentVariable> all() {
    return within(CommandTree.of(CliContext.NONE))
        .distinct()
        .sorted(Comparator.comparing(EnvironmentVariable::name))
        .toList();
  }

  private static Stream<EnvironmentVariable> within(CommandLine command) {
    return Stream.concat(
        command.getCommandSpec().args().stream().flatMap(EnvironmentVariable::of),
        command.getSubcommands().values().stream().flatMap(EnvironmentVariable::within));
  }

  private static Stream<EnvironmentVariable> of(ArgSpec word) {
    Matcher variable = DEFAULT.matcher(String.valueOf(standard(word)));
    return variable.matches()
        ? Stream.of(new EnvironmentVariable(variable.group(1), instead(word), says(word)))
        : Stream.empty();
  }

  /** As it is written: the word itself has put the variable's value there. */
  private static @Nullable String standard(ArgSpec word) {
    return switch (word) {
      case OptionSpec option -> option.toBuilder().defaultValue();
      case PositionalParamSpec parameter -> parameter.toBuilder().defaultValue();
      default -> throw new IllegalArgumentException("neither an option nor a word: " + word);
    };
  }

  private static String instead(ArgSpec word) {
    return word instanceof OptionSpec option ? option.longestName() : word.paramLabel();
  }

  private static String says(ArgSpec word) {
    return String.join(" ", word.description()).replaceFirst(" \\(or [A-Z_]+\\)", "");
  }
}
