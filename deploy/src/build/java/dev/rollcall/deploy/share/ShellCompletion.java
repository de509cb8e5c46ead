package dev.rollcall.deploy.share;

import dev.rollcall.cli.text.JarText;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine;

/** Writes the scripts that complete the command in a shell. */
public final class ShellCompletion {
  private final List<CompletedCommand> commands;

  public ShellCompletion(CommandLine root) {
    this.commands = CompletedCommand.all(root);
  }

  public String bash() {
    return shipped("words.sh") + tables() + shipped("bash.sh");
  }

  public String zsh() {
    return "#compdef rollcall\n" + shipped("words.sh") + tables() + shipped("rollcall.zsh");
  }

  public String fish() {
    return new FishCandidates(commands).script(shipped("rollcall.fish"));
  }

  /** Functions of bash and zsh, in the words that both have. */
  private String tables() {
    return function(
            "commands",
            each ->
                each.commands().stream()
                    .map(CompletedCommand.Word::word)
                    .collect(Collectors.joining(" ")))
        + function(
            "options",
            each ->
                each.options().stream()
                    .flatMap(option -> option.names().stream())
                    .collect(Collectors.joining(" ")))
        + values();
  }

  private String function(String name, Function<CompletedCommand, String> cell) {
    var text = new StringBuilder("_rollcall_" + name + "() {\n  case \"$1\" in\n");
    for (CompletedCommand each : commands) {
      String words = cell.apply(each);
      if (!words.isEmpty()) {
        text.append("    '%s') echo '%s' ;;\n".formatted(each.path(), words));
      }
    }
    return text.append("  esac\n}\n").toString();
  }

  /** Of options by their names, of positions by their numbers; "+" is the last one again. */
  private String values() {
    var text = new StringBuilder("_rollcall_value() {\n  case \"$1 $2\" in\n");
    for (CompletedCommand each : commands) {
      for (CompletedCommand.Option option : each.options()) {
        if (!option.value().equals(Value.NONE)) {
          String names =
              option.names().stream()
                  .map(name -> "'%s %s'".formatted(each.path(), name))
                  .collect(Collectors.joining(" | "));
          text.append("    %s) echo '%s' ;;\n".formatted(names, option.value().word()));
        }
      }
      for (int i = 0; i < each.positions().size(); i++) {
        boolean last = i == each.positions().size() - 1;
        text.append(
            "    '%s '%s) echo '%s' ;;\n"
                .formatted(
                    each.path(),
                    last && each.repeats() ? "[0-9]*" : "" + i,
                    each.positions().get(i).word()));
      }
    }
    return text.append("  esac\n}\n").toString();
  }

  private static String shipped(String name) {
    return JarText.of(ShellCompletion.class, name);
  }
}
