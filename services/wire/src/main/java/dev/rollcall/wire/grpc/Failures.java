package dev.rollcall.wire.grpc;

import dev.rollcall.wire.address.ServerHttpClient;
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
import org.jspecify.annotations.Nullable;

/**
 * Gives the statuses of one call their causes: which the library knows, and leaves out.
 *
 * @param deadline of the call
 */
record Failures(String server, @Nullable Deadline deadline) {
  private static final Metadata.Key<String> MESSAGE =
      Metadata.Key.of("grpc-message", Metadata.ASCII_STRING_MARSHALLER);

  /**
   * The status of this call's own deadline, with a {@link TimeoutException}; a server's has none.
   */
  Status late() {
    return Status.DEADLINE_EXCEEDED
        .withDescription(server + " did not answer within the deadline")
        .withCause(new TimeoutException());
  }

  Status notConnected(Throwable cause) {
    return Status.UNAVAILABLE
        .withDescription("cannot reach " + server + ": " + ServerHttpClient.reason(cause))
        .withCause(cause);
  }

  Status reset(GrpcError error) {
    return Status.fromCodeValue(error.status.code)
        .withDescription(server + " reset the stream: " + error);
  }

  Status told(Status status, Metadata trailers) {
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
          .withDescription(
              "the connection to " + server + " was lost: " + ServerHttpClient.reason(cause))
          .withCause(cause);
    }
    String message = trailers.get(MESSAGE);
    return status.getDescription() == null && message != null
        ? status.withDescription(decoded(message))
        : status;
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
