package dev.rollcall.deploy.share;

import java.util.List;

/** Writes the command's words as lines of fish's {@code complete}. */
record FishCandidates(List<CompletedCommand> commands) {
  String script(String functions) {
    var text = new StringBuilder(functions);
    text.append("set -g __rollcall_paths");
    commands.stream().skip(1).forEach(each -> text.append(' ').append(quoted(each.path())));
    text.append("\nset -g __rollcall_valued");
    for (CompletedCommand each : commands) {
      each.options().stream()
          .filter(option -> !option.value().equals(Value.NONE))
          .flatMap(option -> option.names().stream())
          .forEach(name -> text.append(' ').append(quoted(each.path() + " " + name)));
    }
    text.append("\ncomplete -c rollcall -f\n");
    commands.forEach(each -> add(each, text));
    return text.toString();
  }

  private static void add(CompletedCommand command, StringBuilder to) {
    String here = "complete -c rollcall -n '__rollcall_at %s".formatted(inner(command.path()));
    for (CompletedCommand.Word word : command.commands()) {
      to.append("%s 0' -a %s -d %s\n".formatted(here, word.word(), quoted(word.does())));
    }
    for (CompletedCommand.Option option : command.options()) {
      to.append(here).append("'");
      for (String name : option.names()) {
        to.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
      }
      if (!option.value().equals(Value.NONE)) {
        String how = option.value().equals(Value.FILE) ? " -r" : " -x";
        to.append(how).append(offered(option.value()));
      }
      to.append(" -d ").append(quoted(option.does())).append('\n');
    }
    for (int i = 0; i < command.positions().size(); i++) {
      boolean repeats = command.repeats() && i == command.positions().size() - 1;
      String offered = offered(command.positions().get(i));
      if (!offered.isEmpty()) {
        to.append("%s %d%s'%s\n".formatted(here, i, repeats ? "+" : "", offered));
      }
    }
  }

  private static String offered(Value value) {
    return switch (value.word()) {
      case "", "text" -> "";
      case "job" -> " -a '(__rollcall_jobs)'";
      case "node" -> " -a '(__rollcall_nodes)'";
      case "user" -> " -a '(__fish_complete_users)'";
      case "file" -> " -F";
      default -> " -a " + quoted(value.word().substring(Value.WORDS.length()));
    };
  }

  /** Within a condition, which is quoted itself. */
  private static String inner(String path) {
    return "\"" + path + "\"";
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
