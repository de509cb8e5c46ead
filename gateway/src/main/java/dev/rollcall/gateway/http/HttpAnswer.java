package dev.rollcall.gateway.http;

import com.google.protobuf.Message;
import dev.rollcall.wire.grpc.ServiceCall;
import dev.rollcall.wire.memory.HeldMemory;
import dev.rollcall.wire.memory.MemoryUse;
import io.grpc.Metadata;
import io.grpc.Status;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import org.jspecify.annotations.Nullable;

/** One answer, or an error. */
final class HttpAnswer implements ServiceCall.Client<Message> {
  private final HttpServerResponse response;
  private final HeldMemory memory;
  private final Runnable ended;
  private @Nullable Buffer json;

  /**
   * @param ended told when the call is over
   */
  HttpAnswer(HttpServerResponse response, HeldMemory memory, Runnable ended) {
    this.response = response;
    this.memory = memory;
    this.ended = ended;
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public void message(Message answer) {
    json = Buffer.buffer(ProtoJson.of(answer) + "\n");
  }

  @Override
  public void end(Status status, Metadata trailers) {
    ended.run();
    if (!status.isOk() || json == null) {
      HttpErrors.send(response, status, trailers);
    } else if (memory.take(MemoryUse.OUTGOING, json.length())) {
      memory.releaseAfter(send(response, 200, json), json.length());
    } else {
      HttpErrors.send(response, HttpErrors.noMemory("the answer"));
    }
  }

  /** A line of JSON, if the client is still there. */
  static void send(HttpServerResponse response, int status, String json) {
    var _ = send(response, status, Buffer.buffer(json + "\n"));
  }

  /** Tells when it was sent, or never will be. */
  static Future<Void> send(HttpServerResponse response, int status, Buffer json) {
    if (response.ended() || response.closed()) {
      return Future.succeededFuture();
    }
    return response
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        .end(json);
  }
}
