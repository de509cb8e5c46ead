package dev.rollcall.load.attack;

import com.google.protobuf.ByteString;
import dev.rollcall.proto.localsocket.v1.CallRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Writes an attack's operations as frames of an agent's local socket. */
final class FramesSpeech implements Speech {
  private String method = "";

  @Override
  public void say(Step step, Sink sink) throws IOException {
    switch (step.verb()) {
      case CALLS -> {
        method = Verb.path(step.word(0)).substring(1);
        byte[] one = call(method, new byte[0]);
        for (int i = 0; step.word(3).equals("ended") && i < step.number(1); i++) {
          sink.write(one);
        }
      }
      case MESSAGE -> {
        byte[] shape = Shape.of(step.word(0)).bytes(step.number(1));
        byte[] whole = method.isEmpty() ? frame(shape) : call(method, shape);
        byte[] sent = Arrays.copyOf(whole, (int) ((long) whole.length * step.number(2) / 100));
        for (int i = 0; i < (sent.length < whole.length ? 1 : step.number(3)); i++) {
          sink.write(sent);
        }
      }
      default -> {}
    }
  }

  /** A request with one message. */
  static byte[] call(String method, byte[] message) {
    return frame(
        CallRequest.newBuilder()
            .setMethod(method)
            .addMessages(ByteString.copyFrom(message))
            .build()
            .toByteArray());
  }

  /** The bytes with their length before them. */
  static byte[] frame(byte[] message) {
    return ByteBuffer.allocate(Integer.BYTES + message.length)
        .putInt(message.length)
        .put(message)
        .array();
  }
}
