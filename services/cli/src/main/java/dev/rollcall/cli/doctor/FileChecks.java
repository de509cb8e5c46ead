package dev.rollcall.cli.doctor;

import java.time.Duration;
import java.time.Instant;

/** Checks sockets, keys and certificates. */
public final class FileChecks {
  private static final Duration SOON = Duration.ofDays(30);
  private static final int OTHERS = 077;

  private FileChecks() {}

  /**
   * A socket of the agent's.
   *
   * @param mode that it should have
   */
  public static Finding socket(String id, FileSeen seen, int mode) {
    return switch (seen) {
      case FileSeen.Missing(var path) ->
          Finding.bad(id, path + " is not there", "start the agent, or see run_directory");
      case FileSeen.There(var path, int uid, int has) when uid != 0 ->
          Finding.bad(
              id,
              path + " belongs to uid " + uid + ", mode " + octal(has),
              "stop the process that made it, and start the agent");
      case FileSeen.There(var path, _, int has) when has != mode ->
          Finding.bad(
              id,
              path + " has mode " + octal(has) + ", not " + octal(mode),
              "restart the agent, and find the program that changes the mode");
      case FileSeen.There(var path, _, int has) ->
          Finding.good(id, path + " is root's, mode " + octal(has));
      case FileSeen.Unreadable(var path, String why) ->
          Finding.unseen(id, path + " was not checked: " + why);
      case FileSeen.Certificate(var path, _) ->
          Finding.unseen(id, path + " is a certificate and not a socket");
    };
  }

  /** A key, which nobody else may read. */
  public static Finding key(String id, FileSeen seen) {
    return switch (seen) {
      case FileSeen.There(var path, int uid, int mode) when uid != 0 || (mode & OTHERS) != 0 ->
          Finding.bad(
              id,
              path + " is uid " + uid + "'s, mode " + octal(mode),
              "chown root " + path + " && chmod 600 " + path);
      case FileSeen.There(var path, _, int mode) ->
          Finding.good(id, path + " is root's, mode " + octal(mode));
      case FileSeen.Missing(var path) ->
          Finding.bad(id, path + " is not there", "issue one: rollcall ca issue");
      case FileSeen.Unreadable(var path, String why) ->
          Finding.unseen(id, path + " was not checked: " + why);
      case FileSeen.Certificate(var path, _) ->
          Finding.bad(id, path + " is a certificate and not a key", "see tls in agent.yaml");
    };
  }

  public static Finding certificate(String id, FileSeen seen, Instant now) {
    return switch (seen) {
      case FileSeen.Certificate(var path, Instant notAfter) when notAfter.isBefore(now) ->
          Finding.bad(id, path + " expired at " + notAfter, "renew it: rollcall ca renew");
      case FileSeen.Certificate(var path, Instant notAfter) -> {
        Duration left = Duration.between(now, notAfter);
        String says = path + " is valid for " + left.toDays() + " days";
        yield left.compareTo(SOON) < 0
            ? Finding.warning(id, says, "renew it: rollcall ca renew")
            : Finding.good(id, says);
      }
      case FileSeen.Missing(var path) ->
          Finding.bad(id, path + " is not there", "issue one: rollcall ca issue");
      case FileSeen.Unreadable(var path, String why) ->
          Finding.unseen(id, path + " was not checked: " + why);
      case FileSeen.There(var path, _, _) ->
          Finding.bad(id, path + " is not a certificate", "see tls in agent.yaml");
    };
  }

  private static String octal(int mode) {
    return "0%o".formatted(mode);
  }
}
