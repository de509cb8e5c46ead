package dev.rollcall.wire.grpc;

import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.Status;
import io.vertx.core.http.HttpClosedException;
import io.vertx.grpc.common.GrpcError;
import io.vertx.grpc.common.MessageSizeOverflowException;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Gives the statuses of one call their causes: which the library knows, and leaves out. */
final class Failures {
  private static final Metadata.Key<String> MESSAGE =
      Metadata.Key.of("grpc-message", Metadata.ASCII_STRING_MARSHALLER);

  /** Before the kernel's words, as {@code connect(..) failed with error(-111): }. */
  private static final Pattern CALL =
      Pattern.compile("^\\w+\\(\\.\\.\\) failed( with error\\(-\\d+\\))?: ");

  private final String server;
  private final @Nullable Deadline deadline;
  private volatile @Nullable Throwable notConnected;
  private volatile Consumer<Status> onReset = _ -> {};
  private volatile boolean reset;
  private volatile @Nullable Status stopped;

  Failures(String server, @Nullable Deadline deadline) {
    this.server = server;
    this.deadline = deadline;
  }

  void notConnected(Throwable cause) {
    notConnected = cause;
  }

  /** Sets the action for a reset by the server, which the library does not report to the call. */
  void onReset(Consumer<Status> what) {
    onReset = what;
  }

  /** RFC 9113, section 8.1: the server needs no more of the request. */
  void resetBehindTheAnswer() {
    reset = true;
  }

  boolean isReset() {
    return reset;
  }

  /** The client ends the call. The library makes a status of its own of that. */
  void stopped(Status why) {
    stopped = why;
  }

  void reset(GrpcError error) {
    reset = true;
    onReset.accept(
        Status.fromCodeValue(error.status.code)
            .withDescription(server + " reset the stream: " + error));
  }

  /**
   * The status of this call's own deadline, with a {@link TimeoutException}; a server's has none.
   */
  Status late() {
    return Status.DEADLINE_EXCEEDED
        .withDescription(server + " did not answer within the deadline")
        .withCause(new TimeoutException());
  }

  Status told(Status status, Metadata trailers) {
    Throwable unconnected = notConnected;
    if (unconnected != null) {
      return Status.UNAVAILABLE
          .withDescription("cannot reach " + server + ": " + reason(unconnected))
          .withCause(unconnected);
    }
    Status own = stopped;
    if (own != null) {
      return own;
    }
    // At the deadline the library cancels the call too, and may be the first.
    if (status.getCode() == Status.Code.CANCELLED && deadline != null && deadline.isExpired()) {
      return late();
    }
    Throwable cause = status.getCause();
    if (cause instanceof MessageSizeOverflowException large) {
      return Status.RESOURCE_EXHAUSTED.withDescription(
          "a message of %d bytes from %s is over the limit of %d"
              .formatted(large.messageSize(), server, MessageLimits.MESSAGE_BYTES));
    }
    if (cause instanceof HttpClosedException || cause instanceof IOException) {
      return Status.UNAVAILABLE
          .withDescription("the connection to " + server + " was lost: " + reason(cause))
          .withCause(cause);
    }
    String message = trailers.get(MESSAGE);
    return status.getDescription() == null && message != null
        ? status.withDescription(decoded(message))
        : status;
  }

  /** The message of the innermost cause that has one, without the library's part of it. */
  private static String reason(Throwable cause) {
    String reason = cause.toString();
    for (Throwable t = cause; t != null; t = t.getCause()) {
      if (t.getMessage() != null) {
        reason = t.getMessage();
      }
    }
    return CALL.matcher(reason).replaceFirst("");
  }

  /** Percent-encoded, gRPC over HTTP/2 "Responses"; a plus sign stands for itself. */
  private static String decoded(String message) {
    try {
      return URLDecoder.decode(message.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return message;
    }
  }
}
