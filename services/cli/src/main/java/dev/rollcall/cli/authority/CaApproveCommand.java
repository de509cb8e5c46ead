package dev.rollcall.cli.authority;

import dev.rollcall.authority.Request;
import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.cli.text.Printing;
import dev.rollcall.linux.munge.Encoded;
import dev.rollcall.linux.munge.Munge;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Approves a request in the name of the user who runs the command. */
@Command(
    name = "approve",
    description = "Approve a request with munge, and print the value for 'ca issue --approval'.")
final class CaApproveCommand implements Callable<Integer> {
  /** As long as munged allows if it is not told otherwise, munged(8). */
  private static final Duration LIFE = Duration.ofHours(1);

  @Mixin private final Printing printing = new Printing();

  @Option(
      names = "--request",
      paramLabel = "FILE",
      required = true,
      description = "The request. 'ca show FILE' shows its contents.")
  private Path request = Path.of("");

  @Option(
      names = "--munge-socket",
      paramLabel = "PATH",
      defaultValue = "/run/munge/munge.socket.2",
      description = "The socket of munged (default: ${DEFAULT-VALUE}).")
  private Path socket = Munge.DEFAULT_SOCKET;

  @Override
  public Integer call() {
    return CaDirectory.named(() -> {
      Request asked = Request.read(request);
      return switch (new Munge(socket).encode(CaApproval.payload(asked), LIFE)) {
        case Encoded.Credential(String text) -> {
          JsonFields json =
              new JsonFields().with("fingerprint", asked.fingerprint()).with("approval", text);
          printing.print(text, json);
          yield ExitCode.OK.status();
        }
        case Encoded.Unavailable(String reason) ->
            throw new CommandFailure(ExitCode.UNAVAILABLE, reason);
      };
    });
  }
}
