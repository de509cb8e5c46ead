package dev.rollcall.cli.ask;

import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Lists that are told in parts. */
public final class Pages {
  private static final int MOST = 10_000;

  private Pages() {}

  /**
   * Asks for one part after the other.
   *
   * @param ask by the token of the part, empty for the first
   */
  public static <T, R> List<T> all(
      Function<String, R> ask, Function<R, List<T>> items, Function<R, String> nextToken) {
    var all = new ArrayList<T>();
    String token = "";
    for (int page = 0; page < MOST; page++) {
      R response = ask.apply(token);
      all.addAll(items.apply(response));
      token = nextToken.apply(response);
      if (token.isEmpty()) {
        return all;
      }
    }
    throw new CommandFailure(
        ExitCode.FAILED, "a list does not end: " + all.size() + " in " + MOST + " parts");
  }
}
