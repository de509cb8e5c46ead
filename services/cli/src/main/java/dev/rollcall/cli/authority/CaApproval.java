package dev.rollcall.cli.authority;

import dev.rollcall.authority.Authority;
import dev.rollcall.authority.AuthorityException;
import dev.rollcall.authority.Request;
import dev.rollcall.cli.ask.UserOption;
import dev.rollcall.cli.ask.Users;
import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.linux.munge.Decoded;
import dev.rollcall.linux.munge.Munge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * An administrator's approval of one request: a munge credential over its fingerprint. It names
 * nobody but the administrator; what is certified is in the request.
 */
public final class CaApproval {
  @Option(
      names = "--approval",
      paramLabel = "FILE",
      description = "The output of 'ca approve' for the request. It can be used once.")
  private @Nullable Path file;

  @Option(
      names = "--administrators",
      paramLabel = "NAME|+UID",
      split = ",",
      description =
          "Who may approve, by name, or by number: +2002. Never root, which exists on every node.")
  private List<String> administrators = List.of();

  @Option(
      names = "--munge-socket",
      paramLabel = "PATH",
      defaultValue = "/run/munge/munge.socket.2",
      description = "The socket of munged (default: ${DEFAULT-VALUE}).")
  private Path socket = Munge.DEFAULT_SOCKET;

  /** What a credential says that approves of a request. */
  public static String payload(Request request) {
    return "rollcall ca approve " + request.fingerprint();
  }

  boolean isGiven() {
    return file != null || !administrators.isEmpty();
  }

  /** Uses the approval up; fails where it is not one of an administrator for this request. */
  void use(Authority authority, Request request, Users users)
      throws IOException, AuthorityException {
    if (file == null || administrators.isEmpty()) {
      throw CommandFailure.usage(
          "--approval and --administrators are given together, with --request");
    }
    var allowed =
        administrators.stream()
            .map(name -> UserOption.parse(name, users))
            .collect(Collectors.toSet());
    if (allowed.contains(0)) {
      throw CommandFailure.usage(
          "--administrators: root exists on every node, so it cannot approve");
    }
    String credential = Files.readString(file).strip();
    Decoded decoded = new Munge(socket).decode(credential);
    if (!(decoded instanceof Decoded.Valid valid)) {
      throw new CommandFailure(ExitCode.FAILED, file + ": " + Decoded.problem(decoded));
    }
    if (!allowed.contains(valid.uid())) {
      throw new CommandFailure(
          ExitCode.FAILED,
          file + " is of " + users.nameOf(valid.uid()) + ", who is not an administrator");
    }
    if (!valid.payload().equals(payload(request))) {
      throw new CommandFailure(ExitCode.FAILED, file + " approves of another request");
    }
    authority.useOnce(credential);
  }
}
