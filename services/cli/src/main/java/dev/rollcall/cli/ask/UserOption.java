package dev.rollcall.cli.ask;

import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options {@code --user} and {@code --uid}: a user by name or by number, as in useradd(8). */
public final class UserOption {
  @Option(
      names = "--user",
      paramLabel = "NAME",
      description = "The user, by name; digits are a name, too.")
  private @Nullable String name;

  @Option(names = "--uid", paramLabel = "UID", description = "The user, by number.")
  private @Nullable Long uid;

  /**
   * Returns the user's uid, 0 to 2^32 - 2, as an int. A number need not be known here, a name must.
   * Empty: neither option is given.
   */
  public Optional<Integer> uid(Users users) {
    if (name != null && uid != null) {
      throw CommandFailure.usage("--user and --uid exclude each other");
    }
    return uid != null
        ? Optional.of(checked(uid))
        : Optional.ofNullable(name).map(given -> named(given, users, "; --uid is for numbers"));
  }

  public int required(Users users) {
    return uid(users).orElseThrow(() -> CommandFailure.usage("--user or --uid is needed"));
  }

  /** Returns the uid of a user in a list or an argument: a name, or {@code +} and a uid. */
  public static int parse(String text, Users users) {
    return text.matches("\\+[0-9]{1,10}")
        ? checked(Long.parseLong(text.substring(1)))
        : named(text, users, "; +%s is the number".formatted(text));
  }

  /** 2^32 - 1 is "no change" to setuid(2) and never a user. */
  private static int checked(long uid) {
    if (uid < 0 || uid >= 0xffff_ffffL) {
      throw CommandFailure.usage("uid " + uid + " is not within 0 to 4294967294");
    }
    return (int) uid;
  }

  private static int named(String name, Users users, String ifDigits) {
    String hint = name.matches("[0-9]+") ? ifDigits : "";
    return users
        .named(name)
        .map(user -> (int) user.uid())
        .orElseThrow(
            () -> new CommandFailure(ExitCode.NOT_FOUND, "no user is named '" + name + "'" + hint));
  }
}
