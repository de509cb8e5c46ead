package dev.rollcall.cli.ask;

import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Asks the name service by getent(1), so that LDAP and sssd count as well as /etc/passwd. Remembers
 * what it heard: a list of a user's jobs asks once.
 */
public final class SystemUsers implements Users {
  /** Less than the 5 s of the hooks. */
  private static final Duration NEEDED = Duration.ofSeconds(4);

  /** A name service that answers so soon may be asked for any number of names. */
  private static final Duration QUICK = Duration.ofMillis(50);

  private static final Pattern DIGITS = Pattern.compile("[0-9]+");

  private final List<String> command;
  private final Map<String, Optional<User>> known = new ConcurrentHashMap<>();

  /** How long names that are only shown may still be waited for, all together. */
  private Duration leftForNames = Duration.ofSeconds(1);

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
        ? numberOf(name)
            .flatMap(number -> find(number, NEEDED))
            .filter(user -> user.name().equals(name))
        : find(name, NEEDED);
  }

  @Override
  public Optional<User> find(int uid) {
    return find(Integer.toUnsignedString(uid), NEEDED);
  }

  /** For display: waits 1 s at most for slow answers, of all calls together. */
  @Override
  public synchronized String nameOf(int uid) {
    String number = Integer.toUnsignedString(uid);
    long began = System.nanoTime();
    try {
      return find(number, leftForNames).map(User::name).orElse(number);
    } catch (CommandFailure unavailable) {
      return number;
    } finally {
      Duration took = Duration.ofNanos(System.nanoTime() - began);
      if (took.compareTo(QUICK) > 0) {
        leftForNames = leftForNames.minus(took);
      }
    }
  }

  /** getent takes digits for a uid; id(1) takes them for a name first. */
  private static Optional<String> numberOf(String name) {
    return answer(List.of("id", "-u"), name, NEEDED);
  }

  private Optional<User> find(String key, Duration within) {
    return known.computeIfAbsent(
        key, it -> answer(command, it, within).flatMap(SystemUsers::parse));
  }

  /**
   * The first line that a command prints about a user; empty if it fails.
   *
   * @throws CommandFailure naming the name service, if it does not answer in time
   */
  private static Optional<String> answer(List<String> command, String user, Duration within) {
    if (!within.isPositive()) {
      throw silent(user, within);
    }
    try {
      var words = new ArrayList<>(command);
      words.add("--");
      words.add(user);
      var builder = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD);
      Process process = builder.start();
      process.getOutputStream().close();
      try (var lines = process.inputReader()) {
        if (!process.waitFor(within.toNanos(), TimeUnit.NANOSECONDS)) {
          throw silent(user, within);
        }
        return process.exitValue() == 0 ? Optional.ofNullable(lines.readLine()) : Optional.empty();
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCode.FAILED, "cannot run " + command.getFirst() + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(ExitCode.FAILED, "interrupted while asking for user " + user, e);
    }
  }

  private static CommandFailure silent(String user, Duration within) {
    return new CommandFailure(
        ExitCode.UNAVAILABLE,
        "the name service (nsswitch.conf) did not answer for user '%s' within %s s"
            .formatted(user, within.toSeconds()));
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
