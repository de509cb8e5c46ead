package dev.rollcall.deploy.share;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Writes a manual page of section 1 for one command, from the command's own options. */
public record CommandPage(CommandLine command, String version, Examples examples) {
  /** Lines are the reader's to break. */
  private static final int UNBROKEN = 10_000;

  private static final Map<String, String> STATUS =
      Map.of(
          "0", "Done.",
          "1", "Failed.",
          "2", "Usage: an unknown argument or an invalid value.",
          "3", "Denied.",
          "4", "Not found.",
          "5", "No answer came in time, or no server is running.");

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{env:(\\w+)}");

  /** {@code rollcall-job-begin}. */
  public String name() {
    return command.getCommandSpec().qualifiedName("-");
  }

  public String text() {
    CommandSpec spec = command.getCommandSpec();
    List<String> says = List.of(spec.usageMessage().description());
    var page = new Roff(name(), 1, version);
    page.name(name(), says.isEmpty() ? "command" : says.getFirst().replaceFirst("\\.$", ""));
    spec.usageMessage().width(UNBROKEN);
    page.synopsis(new Help(spec, Help.defaultColorScheme(Help.Ansi.OFF)).synopsis(0));
    page.section("DESCRIPTION");
    says.forEach(page::paragraph);
    commands(page);
    options(page, spec);
    page.section("EXIT STATUS");
    STATUS.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(each -> page.item(each.getKey(), each.getValue()));
    environment(page, spec);
    files(page, spec);
    page.section("EXAMPLES");
    for (Examples.Example example : examples.of(name())) {
      page.example(List.of(example.command())).paragraph(example.text());
    }
    page.section("SEE ALSO");
    page.paragraph(
        spec.parent() == null
            ? "rollcall-agent.yaml(5), rollcall-gateway.yaml(5), pam_rollcall(8),"
                + " rollcall-agent(8), rollcall-gateway(8), rollcall-uninstall(8)"
            : spec.parent().qualifiedName("-") + "(1)");
    return page.toString();
  }

  /** Those that an option has as its default. */
  private static void files(Roff page, CommandSpec spec) {
    List<OptionSpec> options =
        spec.options().stream().filter(option -> file(option).startsWith("/")).toList();
    if (!options.isEmpty()) {
      page.section("FILES");
      options.forEach(
          option -> page.item(file(option), "The default of " + option.longestName() + "."));
    }
  }

  private static String file(OptionSpec option) {
    return Objects.requireNonNullElse(option.defaultValue(), "");
  }

  /** Variables that replace options. */
  private static void environment(Roff page, CommandSpec spec) {
    page.section("ENVIRONMENT");
    for (OptionSpec option : spec.options()) {
      Matcher variable = VARIABLE.matcher(file(option));
      if (variable.matches()) {
        page.item(variable.group(1), "Stands for " + option.longestName() + ".");
      }
    }
    page.item("ROLLCALL_CLI_OPTS", "Flags added to those of the command's JVM.");
  }

  private void commands(Roff page) {
    if (!command.getSubcommands().isEmpty()) {
      page.section("COMMANDS");
      command
          .getSubcommands()
          .forEach((word, each) -> {
            String[] does = each.getCommandSpec().usageMessage().description();
            page.item(word, does.length == 0 ? "" : does[0]);
          });
    }
  }

  private static void options(Roff page, CommandSpec spec) {
    page.section("OPTIONS");
    for (PositionalParamSpec positional : spec.positionalParameters()) {
      page.item(positional.paramLabel(), String.join(" ", positional.description()));
    }
    for (OptionSpec option : spec.options()) {
      if (!option.hidden()) {
        boolean valued = option.arity().max() > 0;
        page.item(
            String.join(", ", option.names()) + (valued ? " " + option.paramLabel() : ""),
            String.join(" ", option.description()));
      }
    }
  }
}
