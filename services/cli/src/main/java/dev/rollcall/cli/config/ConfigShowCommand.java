package dev.rollcall.cli.config;

import dev.rollcall.cli.ask.CliContext;
import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.cli.text.Printing;
import dev.rollcall.cli.text.Table;
import dev.rollcall.settings.EffectiveKey;
import dev.rollcall.settings.FilePosition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Shows the configuration that the agent or the gateway would use, as the program itself reads it.
 */
@Command(
    name = "show",
    description =
        "Show the configuration that the agent or the gateway would use if it started now, and"
            + " where each value comes from.")
public final class ConfigShowCommand implements Callable<Integer> {
  private static final String HIDDEN = "***";

  /** A program that has a configuration file. */
  enum Program {
    agent,
    gateway
  }

  @Mixin private final Printing printing = new Printing();

  @Parameters(
      paramLabel = "PROGRAM",
      arity = "0..1",
      defaultValue = "agent",
      description = "agent or gateway (default: ${DEFAULT-VALUE}).")
  private Program program = Program.agent;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Its file (default: /etc/rollcall/PROGRAM.yaml).")
  private @Nullable Path file;

  private final Path launcher;
  private final Map<String, String> environment;

  /**
   * @param launcher starts the programs
   * @param environment of this command
   */
  public ConfigShowCommand(Path launcher, Map<String, String> environment) {
    this.launcher = launcher;
    this.environment = environment;
  }

  public ConfigShowCommand() {
    this(CliContext.shipped("bin/rollcall"), System.getenv());
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path from = file == null ? Path.of("/etc/rollcall", program + ".yaml") : file.toAbsolutePath();
    List<EffectiveKey> keys = ask(from);
    var table = new Table("KEY", "VALUE", "FROM");
    List<JsonFields> json = new ArrayList<>();
    for (EffectiveKey key : keys) {
      table.row(key.key(), key.value().orElse(""), key.from().map(this::text).orElse("default"));
      json.add(
          json(key.key(), key.value(), key.from().isPresent() ? "file" : "default", key.from()));
    }
    for (String name : variables()) {
      Optional<String> value = Optional.of(masked(environment.getOrDefault(name, "")));
      table.row(name, value.get(), "environment");
      json.add(json(name, value, "environment", Optional.empty()));
    }
    return printing.print(table, json);
  }

  private List<EffectiveKey> ask(Path from) throws IOException, InterruptedException {
    var builder =
        new ProcessBuilder(launcher.toString(), program.name(), "--show-config", from.toString());
    builder.redirectErrorStream(true);
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCode.FAILED, "cannot start " + launcher + " " + program + ": " + e.getMessage(), e);
    }
    process.getOutputStream().close();
    List<String> lines;
    try (var output = process.inputReader()) {
      lines = output.readAllLines();
    }
    if (process.waitFor() != 0) {
      String reason = lines.isEmpty() ? "it exits " + process.exitValue() : lines.getLast();
      throw CommandFailure.usage(reason.replaceFirst("^rollcall " + program + ": ", ""));
    }
    return lines.stream().flatMap(line -> EffectiveKey.parse(line).stream()).toList();
  }

  /** Those that the launcher reads for this program, as far as they are set here. */
  private List<String> variables() {
    return List.of("JAVA_HOME", "ROLLCALL_" + program.name().toUpperCase(Locale.ROOT) + "_OPTS")
        .stream()
        .filter(environment::containsKey)
        .toList();
  }

  /** Flags of a JVM may have a password. */
  private static String masked(String flags) {
    return flags.replaceAll(
        "(?i)([^\\s=]*(?:password|secret|token|credential)[^\\s=]*=)\\S+", "$1" + HIDDEN);
  }

  private String text(FilePosition place) {
    return place.line() == 0 ? place.file() : place.file() + ":" + place.line();
  }

  private static JsonFields json(
      String key, Optional<String> value, String source, Optional<FilePosition> from) {
    return new JsonFields()
        .with("key", key)
        .with("value", value.orElse(null))
        .with("source", source)
        .with("file", from.map(FilePosition::file).orElse(null))
        .with("line", from.map(FilePosition::line).filter(line -> line > 0).orElse(null));
  }
}
