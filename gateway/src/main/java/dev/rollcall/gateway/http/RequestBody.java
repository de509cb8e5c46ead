package dev.rollcall.gateway.http;

import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.Refusal.Reason;
import dev.rollcall.wire.memory.HeldMemory;
import dev.rollcall.wire.memory.MemoryUse;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The body of one request, within bounds of size, of time, and of the memory of its peer. A body
 * that is not wanted any more is dropped as it comes; one that goes on for long then ends the
 * connection. Of a client that was identified more is dropped: one that is still sending when its
 * connection closes loses the answer, which says what was wrong. On the event loop of the request.
 */
final class RequestBody {
  /** The most bytes for a method with one message. Present ones have some hundred. */
  static final int MOST_OF_ONE_MESSAGE = 65_536;

  private static final long WITHIN_MILLIS = 10_000;
  private static final long MOST_DROPPED = 65_536;
  private static final long MOST_DROPPED_OF_IDENTIFIED = 8 << 20;

  private final Vertx vertx;
  private final HttpServerRequest request;
  private final int most;
  private final HeldMemory memory;
  private final Buffer body = Buffer.buffer();
  private final long late;
  private Consumer<String> whole = _ -> {};
  private BiConsumer<Integer, Refusal> refused = (_, _) -> {};
  private long taken;
  private long dropped;
  private long mostDropped = MOST_DROPPED;
  private boolean over;

  /**
   * Waits for the body, whose time runs from now on.
   *
   * @param most bytes
   */
  RequestBody(Vertx vertx, HttpServerRequest request, int most, HeldMemory memory) {
    this.vertx = vertx;
    this.request = request;
    this.most = most;
    this.memory = memory;
    late = vertx.setTimer(WITHIN_MILLIS, _ -> tooLate());
    request.handler(this::part);
    request.endHandler(_ -> end());
    request.exceptionHandler(_ -> {
      vertx.cancelTimer(late);
      drop();
    });
  }

  /**
   * Takes what its headers say that it will need, and then what comes. One of these runs, once, or
   * none if the body is dropped.
   *
   * @param then gets the text
   * @param otherwise gets why there is none, and the status of HTTP, where it says more than that
   *     of gRPC; else 0
   */
  void gather(Consumer<String> then, BiConsumer<Integer, Refusal> otherwise) {
    whole = then;
    refused = otherwise;
    mostDropped = MOST_DROPPED_OF_IDENTIFIED;
    long length = contentLength();
    if (length > most) {
      tooLarge();
    } else {
      var _ = hold(length);
    }
  }

  /** Asks for it, if the client waits for that (RFC 9110, 10.1.1). */
  void sendContinue() {
    if (!over && "100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))) {
      var _ = request.response().writeContinue();
    }
  }

  /** Nobody wants it any more. The second time nothing happens. */
  void drop() {
    over = true;
    memory.release(taken);
    taken = 0;
  }

  /** How many have come. */
  int bytes() {
    return body.length();
  }

  private long contentLength() {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    // Others than digits do not come past the parser.
    return length == null ? 0 : Long.parseLong(length);
  }

  private boolean hold(long bytes) {
    if (bytes > taken) {
      if (!memory.take(MemoryUse.BODY, bytes - taken)) {
        refuse(0, HttpErrors.noMemory("the body"));
        return false;
      }
      taken = bytes;
    }
    return true;
  }

  private void part(Buffer part) {
    if (over) {
      dropped += part.length();
      if (dropped > mostDropped) {
        var _ = request.connection().close();
      }
    } else if (body.length() + part.length() > most) {
      tooLarge();
    } else if (hold(body.length() + part.length())) {
      body.appendBuffer(part);
    }
  }

  private void end() {
    vertx.cancelTimer(late);
    if (!over) {
      over = true; // what it holds counts until its call is over
      whole.accept(body.toString(StandardCharsets.UTF_8));
    }
  }

  private void tooLarge() {
    refuse(
        413,
        Refusal.of(Reason.BODY_TOO_LARGE, "the body is over the limit of %d bytes".formatted(most))
            .with("limit", Integer.toString(most)));
  }

  private void tooLate() {
    if (!over) {
      refuse(
          408,
          Refusal.of(
              Reason.BODY_TOO_LATE,
              "the body did not arrive within " + WITHIN_MILLIS / 1000 + " s"));
    }
    var _ = request.connection().close();
  }

  private void refuse(int http, Refusal why) {
    drop();
    refused.accept(http, why);
  }
}
