package dev.rollcall.load.attack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Asks one question by HTTP/1.1. */
final class Http1Question {
  private static final int MOST = 1 << 20;

  private Http1Question() {}

  /** Returns when it is answered by 200. */
  static void ask(Wire wire, String path) throws IOException {
    String question =
        "GET %s HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".formatted(path);
    wire.out().write(question.getBytes(StandardCharsets.US_ASCII));
    wire.out().flush();
    String answer = new String(wire.in().readNBytes(MOST), StandardCharsets.UTF_8);
    if (!answer.startsWith("HTTP/1.1 200 ")) {
      throw new IOException("answer: " + answer.lines().findFirst().orElse("none"));
    }
  }
}
