package dev.rollcall.cli.ask;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.settings.HostPort;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;

/** Which of the options and the variables of the environment decide. */
class TargetOptionsTest {
  private static final Map<String, String> CERTIFIED =
      Map.of("--ca", "ca", "--certificate", "certificate", "--key", "key");
  private static final Map<String, String> BY_TOKEN = Map.of("--ca", "ca", "--token", "token");

  @Command
  private static final class Asking {
    @Mixin private final TargetOptions asking = new TargetOptions();
  }

  /**
   * @param variables by the options that they stand for: picocli reads the environment of this
   *     process, which no test can set
   */
  private static Target target(Map<String, String> variables, String... words) {
    var command = new Asking();
    new CommandLine(command)
        .setDefaultValueProvider(argument -> variables.get(((OptionSpec) argument).longestName()))
        .parseArgs(words);
    return command.asking.target();
  }

  private static Target gateway(Target.Credentials credentials) {
    return new Target.Gateway(new HostPort("gate", 7450), Optional.of(credentials));
  }

  @Test
  void aVariableCountsWithoutItsOption() {
    assertEquals(
        gateway(
            new Target.Credentials.Certified(
                Path.of("ca"), Path.of("certificate"), Path.of("key"))),
        target(CERTIFIED, "--gateway", "gate:7450"));
    assertEquals(
        gateway(new Target.Credentials.Token(Path.of("other"), Path.of("token"))),
        target(BY_TOKEN, "--gateway", "gate:7450", "--ca", "other"));
  }

  @Test
  void credentialsOfVariablesDoNotCountIfAnOptionAsksForOthers() {
    assertEquals(
        gateway(new Target.Credentials.Munged(Path.of("ca"), Path.of("m"))),
        target(CERTIFIED, "--gateway", "gate:7450", "--munge", "--munge-socket", "m"));
    assertEquals(
        gateway(new Target.Credentials.Token(Path.of("ca"), Path.of("t"))),
        target(CERTIFIED, "--gateway", "gate:7450", "--token", "t"));
    assertEquals(
        gateway(new Target.Credentials.Certified(Path.of("ca"), Path.of("c"), Path.of("k"))),
        target(BY_TOKEN, "--gateway", "gate:7450", "--certificate", "c", "--key", "k"));
  }

  @Test
  void optionsThatContradictEachOtherAreRefused() {
    for (String[] words :
        new String[][] {
          {"--munge", "--token", "t"},
          {"--munge", "--key", "k"},
          {"--token", "t", "--certificate", "c"},
          {"--gateway", "", "--munge"},
        }) {
      assertThrows(
          CommandFailure.class,
          () -> target(Map.of("--ca", "ca", "--gateway", "gate:7450"), words));
    }
  }

  @Test
  void anEmptyVariableIsNotSet() {
    assertEquals(
        new Target.Agent(Path.of("socket")),
        target(
            Map.of("--gateway", "", "--ca", "", "--certificate", "", "--key", "", "--token", ""),
            "--socket",
            "socket"));
    assertEquals(
        new Target.Gateway(new HostPort("gate", 7450), Optional.empty()),
        target(Map.of("--gateway", "gate:7450", "--ca", "", "--token", "")));
  }
}
