package dev.rollcall.load.attack;

import com.google.protobuf.ByteString;
import dev.rollcall.proto.localsocket.v1.CallRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Writes an attack's operations as frames of an agent's local socket. */
final class FramesSpeech implements Speech {
  private static final int MUCH = 8_000;

  private final Pieces pieces = new Pieces();
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
          pieces.write(sent, sink);
        }
      }
      case FLOOD -> {
        byte[] one = wrong(step.word(0));
        for (int i = 0; i < step.number(1); i++) {
          sink.write(one);
        }
      }
      case PIECES -> pieces.are(step.number(0));
      default -> {}
    }
  }

  private static byte[] wrong(String type) {
    return switch (type) {
      case "ping" -> frame(new byte[0]);
      case "settings" -> ByteBuffer.allocate(Integer.BYTES).putInt(Integer.MAX_VALUE).array();
      case "priority" -> ByteBuffer.allocate(Integer.BYTES).putInt(-1).array();
      case "window" -> new byte[] {0, 0};
      case "padded" ->
          frame(CallRequest.newBuilder().setMethod("x".repeat(MUCH)).build().toByteArray());
      case "trickle" -> frame(messages(MUCH));
      default -> frame(messages(0));
    };
  }

  private static byte[] messages(int count) {
    var request = CallRequest.newBuilder().setMethod("rollcall.v1.CallerIdService/IdentifyMany");
    for (int i = 0; i < count; i++) {
      request.addMessages(ByteString.EMPTY);
    }
    return request.build().toByteArray();
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
