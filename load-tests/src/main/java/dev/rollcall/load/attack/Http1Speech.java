package dev.rollcall.load.attack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** Writes an attack's operations as requests of HTTP/1.1, one after another without waiting. */
final class Http1Speech implements Speech {
  private final String fields;
  private final Pieces pieces = new Pieces();
  private String path = "/";

  Http1Speech(Optional<String> authorization) {
    fields =
        "host: localhost\r\n"
            + authorization.map(proof -> "authorization: " + proof + "\r\n").orElse("");
  }

  @Override
  public void say(Step step, Sink sink) throws IOException {
    switch (step.verb()) {
      case CALLS -> {
        path = Verb.path(step.word(0));
        String end = step.word(3).equals("ended") ? "\r\n" : "";
        String one = start("GET", "x:\r\n".repeat(step.number(2))) + end;
        times(end.isEmpty() ? 1 : step.number(1), one, sink);
      }
      case MESSAGE -> message(step, sink);
      case FLOOD -> times(step.number(1), odd(step.word(0)), sink);
      case PIECES -> pieces.are(step.number(0));
      case TRAILERS -> sink.write(bytes("0\r\n" + "x:\r\n".repeat(step.number(0)) + "\r\n"));
      default -> {}
    }
  }

  private String start(String method, String more) {
    return method + " " + path + " HTTP/1.1\r\n" + fields + more;
  }

  /** Requests, or parts of them, that are not usual. */
  private String odd(String type) {
    return switch (type) {
      case "ping" -> "\r\n";
      case "settings" -> "OPTIONS * HTTP/1.1\r\n" + fields + "\r\n";
      case "priority" -> start("HEAD", "\r\n");
      case "window" -> start("POST", "expect: 100-continue\r\ncontent-length: 9\r\n\r\n");
      case "data" -> start("POST", "transfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n");
      case "acks" -> start("GET", "connection: upgrade, HTTP2-Settings\r\nupgrade: h2c\r\n\r\n");
      case "unknown" -> start("BREW", "\r\n");
      case "padded" -> start("GET", "x: " + "x".repeat(4_000) + "\r\n\r\n");
      default -> "1\r\nx\r\n";
    };
  }

  /** Bodies of a known length, or in chunks if there are pieces. Of part of one there is no end. */
  private void message(Step step, Sink sink) throws IOException {
    byte[] body = Shape.of(step.word(0)).bytes(step.number(1));
    byte[] sent = Arrays.copyOf(body, (int) ((long) body.length * step.number(2) / 100));
    boolean isWhole = sent.length == body.length;
    for (int i = 0; i < (isWhole ? step.number(3) : 1); i++) {
      String type = "content-type: application/json\r\n";
      if (pieces.areUsual()) {
        sink.write(bytes(start("POST", type + "content-length: " + body.length + "\r\n\r\n")));
        sink.write(sent);
      } else {
        sink.write(bytes(start("POST", type + "transfer-encoding: chunked\r\n\r\n")));
        chunks(sent, sink);
        sink.write(bytes(isWhole ? "0\r\n\r\n" : ""));
      }
    }
  }

  private void chunks(byte[] body, Sink sink) throws IOException {
    for (int at = 0; at < body.length; ) {
      int next = pieces.next(at, body.length - at);
      sink.write(bytes(Integer.toHexString(next) + "\r\n"));
      sink.write(Arrays.copyOfRange(body, at, at + next));
      sink.write(bytes("\r\n"));
      sink.flush();
      at += next;
    }
  }

  private static void times(int count, String text, Sink sink) throws IOException {
    byte[] one = bytes(text);
    for (int i = 0; i < count; i++) {
      sink.write(one);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
