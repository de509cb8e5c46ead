package dev.rollcall.gateway.http;

import com.google.protobuf.Message;
import dev.rollcall.wire.grpc.DirectCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import org.jspecify.annotations.Nullable;

/** One answer, or an error. */
final class HttpAnswer implements DirectCall.Answer<Message> {
  private final HttpServerResponse response;
  private @Nullable String json;

  HttpAnswer(HttpServerResponse response) {
    this.response = response;
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public void message(Message answer) {
    json = Json.of(answer);
  }

  @Override
  public void drop() {
    // It is always ready, so there is only one answer that is not read, and its connection ends.
  }

  @Override
  public void end(Status status, Metadata trailers) {
    if (status.isOk() && json != null) {
      send(response, 200, json);
    } else {
      HttpErrors.send(response, status, trailers);
    }
  }

  /** A line of JSON, if the client is still there. */
  static void send(HttpServerResponse response, int status, String json) {
    send(response, status, Buffer.buffer(json + "\n"));
  }

  static void send(HttpServerResponse response, int status, Buffer json) {
    if (!response.ended() && !response.closed()) {
      response
          .setStatusCode(status)
          .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
          .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
          .end(json);
    }
  }
}
