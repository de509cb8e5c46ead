package dev.rollcall.cli.ask;

import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.TimeoutException;

/** Says in one line what a gRPC status means here. */
final class StatusFailure {
  private StatusFailure() {}

  static CommandFailure of(StatusRuntimeException cause, Target target) {
    Status status = cause.getStatus();
    String said = status.getDescription() == null ? "" : ": " + status.getDescription();
    return switch (status.getCode()) {
      case PERMISSION_DENIED, UNAUTHENTICATED ->
          failure(ExitCode.DENIED, "denied by the " + target + said, cause);
      case NOT_FOUND -> failure(ExitCode.NOT_FOUND, "not found by the " + target + said, cause);
      case DEADLINE_EXCEEDED, CANCELLED ->
          failure(
              ExitCode.UNAVAILABLE,
              // The deadline of the call itself says no more than this.
              "the "
                  + target
                  + " did not answer in time"
                  + (status.getCause() instanceof TimeoutException ? "" : said),
              cause);
      case UNAVAILABLE ->
          failure(
              ExitCode.UNAVAILABLE,
              "the " + target + " is not reachable" + reason(said, status),
              cause);
      case INVALID_ARGUMENT -> failure(ExitCode.USAGE, "refused by the " + target + said, cause);
      case FAILED_PRECONDITION ->
          failure(ExitCode.FAILED, "refused by the " + target + said, cause);
      case UNIMPLEMENTED ->
          failure(
              ExitCode.FAILED,
              "the " + target + " does not serve this" + hint(target) + said,
              cause);
      default ->
          failure(
              ExitCode.FAILED,
              "the " + target + " failed (" + status.getCode() + ")" + reason(said, status),
              cause);
    };
  }

  private static String hint(Target target) {
    return target instanceof Target.Agent ? ", ask a gateway (--gateway HOST:PORT)" : "";
  }

  /** A transport failure has its words in the cause. */
  private static String reason(String said, Status status) {
    Throwable cause = status.getCause();
    return said.isEmpty() && cause != null ? ": " + cause.getMessage() : said;
  }

  private static CommandFailure failure(ExitCode code, String message, Throwable cause) {
    return new CommandFailure(code, message, cause);
  }
}
