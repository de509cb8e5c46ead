package dev.rollcall.cli.ask;

import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;

/** The value of {@code --user}: a name or a uid. */
public final class UserOption {
  private UserOption() {}

  /** 0 to 2^32 - 2. A number need not be known here, a name must. */
  public static long uidOf(String user, Users users) {
    return isNumber(user)
        ? number(user)
        : users
            .find(user)
            .map(Users.User::uid)
            .orElseThrow(
                () -> new CommandFailure(ExitCode.NOT_FOUND, "no user is named '" + user + "'"));
  }

  /** The user's primary group; a user that only the number names has none. */
  public static long gidOf(String user, Users users) {
    return users
        .find(user)
        .map(Users.User::gid)
        .orElseThrow(() ->
            CommandFailure.usage(
                "user '" + user + "' is not known here: give its group with --gid"));
  }

  private static boolean isNumber(String user) {
    return user.matches("[0-9]+");
  }

  private static long number(String user) {
    // 2^32 - 1 is "no change" to setuid(2) and never a user.
    if (user.length() > 10 || Long.parseLong(user) >= 0xffff_ffffL) {
      throw CommandFailure.usage("uid " + user + " is not within 0 to 4294967294");
    }
    return Long.parseLong(user);
  }
}
