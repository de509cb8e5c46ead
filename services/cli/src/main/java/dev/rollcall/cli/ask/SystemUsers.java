package dev.rollcall.cli.ask;

import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Asks the name service by getent(1), so that LDAP and sssd count as well as /etc/passwd. Remembers
 * what it heard: a list of a user's jobs asks once.
 */
public final class SystemUsers implements Users {
  private static final Pattern DIGITS = Pattern.compile("[0-9]+");

  private final List<String> command;
  private final Map<String, Optional<User>> known = new ConcurrentHashMap<>();

  public SystemUsers() {
    this(List.of("getent", "passwd"));
  }

  /**
   * @param command prints the line of passwd(5) of the user that its last argument names
   */
  public SystemUsers(List<String> command) {
    this.command = List.copyOf(command);
  }

  @Override
  public Optional<User> named(String name) {
    return DIGITS.matcher(name).matches()
        ? numberOf(name).flatMap(this::find).filter(user -> user.name().equals(name))
        : find(name);
  }

  @Override
  public Optional<User> find(int uid) {
    return find(Integer.toUnsignedString(uid));
  }

  /** getent takes digits for a uid; id(1) takes them for a name first. */
  private static Optional<String> numberOf(String name) {
    return answer(List.of("id", "-u"), name);
  }

  private Optional<User> find(String key) {
    return known.computeIfAbsent(key, it -> answer(command, it).flatMap(SystemUsers::parse));
  }

  /** The first line that a command prints about a user; empty if it fails. */
  private static Optional<String> answer(List<String> command, String user) {
    try {
      var words = new ArrayList<>(command);
      words.add("--");
      words.add(user);
      var builder = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD);
      Process process = builder.start();
      process.getOutputStream().close();
      try (var lines = process.inputReader()) {
        String line = lines.readLine();
        return process.waitFor() == 0 ? Optional.ofNullable(line) : Optional.empty();
      }
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCode.FAILED, "cannot run " + command.getFirst() + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(ExitCode.FAILED, "interrupted while asking for user " + user, e);
    }
  }

  private static Optional<User> parse(String line) {
    String[] fields = line.split(":", -1);
    if (fields.length != 7) {
      return Optional.empty();
    }
    return Optional.of(
        new User(
            fields[0], Long.parseLong(fields[2]), Long.parseLong(fields[3]), fields[5], fields[6]));
  }
}
