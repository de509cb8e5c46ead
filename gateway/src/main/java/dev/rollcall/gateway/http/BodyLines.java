package dev.rollcall.gateway.http;

import com.google.protobuf.Message;
import dev.rollcall.wire.grpc.ServiceCall;
import io.vertx.core.Vertx;

/**
 * Delivers a body that has a message in each line. A line is parsed when the service wants it, and
 * only some in one turn of the event loop, so that others are served between. On that event loop.
 */
final class BodyLines {
  private static final int LINES_IN_A_TURN = 64;
  private static final int CHARACTERS_IN_A_TURN = 16_384;

  private final Vertx vertx;
  private final ServiceCall<Message, Message> call;
  private final Message empty;
  private final String body;
  private final int bytes;
  private int at;
  private int number;

  /**
   * @param empty a message of the type of each
   * @param bytes of the body
   */
  BodyLines(
      Vertx vertx, ServiceCall<Message, Message> call, Message empty, String body, int bytes) {
    this.vertx = vertx;
    this.call = call;
    this.empty = empty;
    this.body = body;
    this.bytes = bytes;
  }

  void start() {
    call.whenWanted(() -> {
      call.read(bytes);
      vertx.runOnContext(_ -> turn());
    });
  }

  private void goOn() {
    call.whenWanted(() -> vertx.runOnContext(_ -> turn()));
  }

  private void turn() {
    int pause = at + CHARACTERS_IN_A_TURN;
    for (int i = 0; i < LINES_IN_A_TURN && at < pause && call.wants(); i++) {
      if (call.isCancelled()) {
        return;
      }
      if (at >= body.length()) {
        call.saidAll();
        return;
      }
      next();
    }
    goOn();
  }

  private void next() {
    int newline = body.indexOf('\n', at);
    String line = body.substring(at, newline < 0 ? body.length() : newline);
    at += line.length() + 1;
    number++;
    if (!line.isBlank()) {
      call.say(() -> RequestMessages.fromLine(empty, number, line)); // at once: it is wanted
    }
  }
}
