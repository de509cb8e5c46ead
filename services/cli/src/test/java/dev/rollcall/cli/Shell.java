package dev.rollcall.cli;

import dev.rollcall.cli.ask.CliContext;
import dev.rollcall.cli.ask.Users;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;

/** Runs commands in this process and keeps what they print. */
final class Shell {
  /** What one command left. */
  record Ran(int status, String out, String err) {}

  static final Users USERS = users(Map.of("alice", 1001L, "bob", 1002L));

  final List<String> plans = new ArrayList<>();
  private final CliContext outside = new CliContext(USERS, Optional.of(plans::add));

  Ran run(String... words) {
    return run(outside, words);
  }

  static Ran run(CliContext outside, String... words) {
    var out = new StringWriter();
    var err = new StringWriter();
    CommandLine command = CommandTree.of(outside, words);
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    command.setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
    int status = command.execute(words);
    return new Ran(status, out.toString(), err.toString());
  }

  private static Users users(Map<String, Long> uids) {
    return key ->
        uids.entrySet().stream()
            .filter(user -> key.equals(user.getKey()) || key.equals(user.getValue().toString()))
            .map(user ->
                new Users.User(
                    user.getKey(),
                    user.getValue(),
                    user.getValue() + 1000,
                    "/home/" + user.getKey(),
                    "/bin/sh"))
            .findAny();
  }
}
