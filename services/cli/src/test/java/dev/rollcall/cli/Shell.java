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

  static final Users USERS = new KnownUsers(Map.of("alice", 1001L, "bob", 1002L, "1002", 2109L));

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

  /** Each with a group of 1000 more. */
  private record KnownUsers(Map<String, Long> uids) implements Users {
    @Override
    public Optional<User> named(String name) {
      return Optional.ofNullable(uids.get(name))
          .map(uid -> new User(name, uid, uid + 1000, "/home/" + name, "/bin/sh"));
    }

    @Override
    public Optional<User> find(int uid) {
      return uids.keySet().stream()
          .flatMap(name -> named(name).stream())
          .filter(user -> user.uid() == Integer.toUnsignedLong(uid))
          .findAny();
    }
  }
}
