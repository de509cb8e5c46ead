package dev.rollcall.gateway.http;

import com.google.protobuf.Message;
import dev.rollcall.wire.grpc.ServiceCall;
import dev.rollcall.wire.memory.HeldMemory;
import dev.rollcall.wire.memory.MemoryUse;
import io.grpc.Metadata;
import io.grpc.Status;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

/**
 * Answers as they come: a line of JSON each, or an event each for those who asked for events
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html). An error after the first of
 * them is the last of them: a line {@code {"error": ...}}, or an event of the type {@code failure}.
 */
final class HttpStream implements ServiceCall.Client<Message> {
  /** So that a connection is known to be in use, here and on the way. */
  private static final long ALIVE_EVERY_MILLIS = 15_000;

  /** After this time the headers are sent, although there is no message yet. */
  private static final long BEGUN_AFTER_MILLIS = 500;

  private final HttpServerResponse response;
  private final HeldMemory memory;
  private final Runnable ended;
  private final Vertx vertx;
  private final boolean events;
  private final long begin;
  private long alive = -1;

  /**
   * @param ended told when the call is over
   */
  HttpStream(
      HttpServerResponse response, HeldMemory memory, Runnable ended, Vertx vertx, boolean events) {
    this.response = response;
    this.memory = memory;
    this.ended = ended;
    this.vertx = vertx;
    this.events = events;
    begin = vertx.setTimer(BEGUN_AFTER_MILLIS, _ -> begin());
  }

  private boolean isOver() {
    return response.ended() || response.closed();
  }

  private void begin() {
    if (alive < 0 && !isOver()) {
      response
          .setChunked(true)
          .putHeader(
              HttpHeaders.CONTENT_TYPE, events ? "text/event-stream" : "application/x-ndjson")
          .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
      alive = vertx.setPeriodic(ALIVE_EVERY_MILLIS, _ -> alive());
      alive();
    }
  }

  /** Says nothing to those who read lines or events. */
  private void alive() {
    if (isOver()) {
      gone();
    } else {
      var _ = response.write(events ? ":\n\n" : "\n");
    }
  }

  void gone() {
    vertx.cancelTimer(begin);
    vertx.cancelTimer(alive);
  }

  @Override
  public boolean isReady() {
    return !response.writeQueueFull();
  }

  @Override
  public void message(Message message) {
    String json = ProtoJson.of(message);
    begin();
    if (!isOver()) {
      write(Buffer.buffer(events ? "data: " + json + "\n\n" : json + "\n"));
    }
  }

  /** Ends the stream of a client that does not read, when its unread lines use its share. */
  private void write(Buffer line) {
    if (!memory.take(MemoryUse.OUTGOING, line.length())) {
      throw HttpErrors.noMemory("the stream").exception();
    }
    memory.releaseAfter(response.write(line), line.length());
  }

  @Override
  public void end(Status status, Metadata trailers) {
    ended.run();
    gone();
    if (isOver()) {
      return;
    }
    if (alive < 0 && !status.isOk()) {
      HttpErrors.send(response, status, trailers);
      return;
    }
    begin();
    vertx.cancelTimer(alive);
    if (status.isOk()) {
      var _ = response.end();
    } else {
      String json = HttpErrors.body(status, trailers);
      var _ = response.end(events ? "event: failure\ndata: " + json + "\n\n" : json + "\n");
    }
  }
}
