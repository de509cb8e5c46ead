package dev.rollcall.cli.ask;

import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Asks the name service by getent(1), so that LDAP and sssd count as well as /etc/passwd. Remembers
 * what it heard: a list of a user's jobs asks once.
 */
public final class SystemUsers implements Users {
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
  public Optional<User> find(String key) {
    return known.computeIfAbsent(key, this::ask);
  }

  private Optional<User> ask(String key) {
    try {
      var words = new ArrayList<>(command);
      words.add("--");
      words.add(key);
      var builder = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD);
      Process process = builder.start();
      process.getOutputStream().close();
      try (var lines = process.inputReader()) {
        String line = lines.readLine();
        return process.waitFor() == 0 && line != null ? parse(line) : Optional.empty();
      }
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCode.FAILED, "cannot run " + command.getFirst() + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(ExitCode.FAILED, "interrupted while asking for user " + key, e);
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
