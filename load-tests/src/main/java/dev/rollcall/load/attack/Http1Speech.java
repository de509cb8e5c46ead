package dev.rollcall.load.attack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** Writes an attack's operations as requests of HTTP/1.1, one after another without waiting. */
final class Http1Speech implements Speech {
  private final String fields;
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
        byte[] one =
            ("GET " + path + " HTTP/1.1\r\n" + fields + "x:\r\n".repeat(step.number(2)) + end)
                .getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < (end.isEmpty() ? 1 : step.number(1)); i++) {
          sink.write(one);
        }
      }
      case MESSAGE -> {
        byte[] body = Shape.of(step.word(0)).bytes(step.number(1));
        byte[] sent = Arrays.copyOf(body, (int) ((long) body.length * step.number(2) / 100));
        String head =
            "POST %s HTTP/1.1\r\n%scontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
                .formatted(path, fields, body.length);
        for (int i = 0; i < (sent.length < body.length ? 1 : step.number(3)); i++) {
          sink.write(head.getBytes(StandardCharsets.US_ASCII));
          sink.write(sent);
        }
      }
      default -> {}
    }
  }
}
