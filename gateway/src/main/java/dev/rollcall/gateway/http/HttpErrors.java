package dev.rollcall.gateway.http;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.rpc.BadRequest;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;

/**
 * How calls that fail are answered: by the status of HTTP that google/rpc/code.proto has for the
 * gRPC status, and {@code {"error": {"code", "status", "message", "details"}}}.
 */
final class HttpErrors {
  private static final int CLIENT_CLOSED = 499;

  private HttpErrors() {}

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

  static String body(Status status, Metadata trailers) {
    return body(httpStatus(status.getCode()), status, details(status, trailers));
  }

  /** What was wrong with fields of a request, before anybody was called. */
  static String body(BadFieldException problem) {
    BadRequest details =
        BadRequest.newBuilder()
            .addFieldViolations(
                BadRequest.FieldViolation.newBuilder()
                    .setField(problem.field())
                    .setDescription(problem.problem()))
            .build();
    var array = new JsonArray();
    JsonObject one = JsonParser.parseString(Json.of(details)).getAsJsonObject();
    one.addProperty("@type", "type.googleapis.com/google.rpc.BadRequest");
    array.add(one);
    return body(
        httpStatus(Status.Code.INVALID_ARGUMENT),
        Status.INVALID_ARGUMENT.withDescription(problem.getMessage()),
        array);
  }

  /**
   * @param http where HTTP says more than the gRPC status: 405, 413, 415
   */
  static String body(int http, Status status) {
    return body(http, status, new JsonArray());
  }

  private static String body(int http, Status status, JsonArray details) {
    var error = new JsonObject();
    error.addProperty("code", http);
    error.addProperty("status", status.getCode().name());
    String message = status.getDescription();
    error.addProperty("message", message == null ? "" : message);
    error.add("details", details);
    var all = new JsonObject();
    all.add("error", error);
    return all.toString();
  }

  private static JsonArray details(Status status, Metadata trailers) {
    com.google.rpc.Status told = StatusProto.fromStatusAndTrailers(status, trailers);
    JsonElement json = JsonParser.parseString(Json.of(told)).getAsJsonObject().get("details");
    return json == null ? new JsonArray() : json.getAsJsonArray();
  }
}
