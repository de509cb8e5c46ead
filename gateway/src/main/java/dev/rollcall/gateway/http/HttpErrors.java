package dev.rollcall.gateway.http;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.RetryInfo;
import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.Refusal.Reason;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.Optional;

/**
 * Answers calls that failed with the status of HTTP that google/rpc/code.proto has for the gRPC
 * status, and {@code {"error": {"code", "status", "message", "details"}}}.
 */
final class HttpErrors {
  private static final int CLIENT_CLOSED = 499;

  /** By then an answer has been read, or a body has come. */
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private HttpErrors() {}

  /**
   * @param what names what is not taken, as "the body"
   */
  static Refusal noMemory(String what) {
    return Refusal.of(
            Reason.MEMORY_EXCEEDED,
            what
                + " exceeds the memory that requests and answers of one client, or of all, may"
                + " hold")
        .again(AGAIN);
  }

  static int httpStatus(Status.Code code) {
    return switch (code) {
      case OK -> 200;
      case CANCELLED -> CLIENT_CLOSED;
      case INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE -> 400;
      case UNAUTHENTICATED -> 401;
      case PERMISSION_DENIED -> 403;
      case NOT_FOUND -> 404;
      case ALREADY_EXISTS, ABORTED -> 409;
      case RESOURCE_EXHAUSTED -> 429;
      case UNKNOWN, INTERNAL, DATA_LOSS -> 500;
      case UNIMPLEMENTED -> 501;
      case UNAVAILABLE -> 503;
      case DEADLINE_EXCEEDED -> 504;
    };
  }

  /** How a call ended that was made. */
  static void send(HttpServerResponse response, Status status, Metadata trailers) {
    com.google.rpc.Status told = StatusProto.fromStatusAndTrailers(status, trailers);
    send(response, httpStatus(status.getCode()), told);
  }

  /** Before anybody was called. */
  static void send(HttpServerResponse response, StatusRuntimeException why) {
    send(response, httpStatus(why.getStatus().getCode()), StatusProto.fromThrowable(why));
  }

  /** Likewise. */
  static void send(HttpServerResponse response, Refusal why) {
    send(response, httpStatus(why.reason().code()), why);
  }

  /**
   * @param http where HTTP says more than the gRPC status: 405, 413, 415
   */
  static void send(HttpServerResponse response, int http, Refusal why) {
    send(response, http, why.status());
  }

  private static void send(HttpServerResponse response, int http, com.google.rpc.Status status) {
    retryAfter(status)
        .ifPresent(seconds -> response.putHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds)));
    HttpAnswer.send(response, http, body(http, status));
  }

  static String body(Status status, Metadata trailers) {
    return body(httpStatus(status.getCode()), StatusProto.fromStatusAndTrailers(status, trailers));
  }

  private static String body(int http, com.google.rpc.Status status) {
    JsonObject told = JsonParser.parseString(ProtoJson.of(status)).getAsJsonObject();
    var error = new JsonObject();
    error.addProperty("code", http);
    error.addProperty("status", Status.fromCodeValue(status.getCode()).getCode().name());
    error.addProperty("message", status.getMessage());
    error.add("details", told.get("details"));
    var all = new JsonObject();
    all.add("error", error);
    return all.toString();
  }

  /** Returns RetryInfo's time in whole seconds, for the header retry-after. */
  private static Optional<Long> retryAfter(com.google.rpc.Status status) {
    for (Any detail : status.getDetailsList()) {
      if (detail.is(RetryInfo.class)) {
        try {
          var delay = detail.unpack(RetryInfo.class).getRetryDelay();
          return Optional.of(delay.getSeconds() + (delay.getNanos() > 0 ? 1 : 0));
        } catch (InvalidProtocolBufferException e) {
          return Optional.empty();
        }
      }
    }
    return Optional.empty();
  }
}
