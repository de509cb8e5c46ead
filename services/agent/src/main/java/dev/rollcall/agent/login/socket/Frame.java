package dev.rollcall.agent.login.socket;

import io.vertx.core.buffer.Buffer;

/** Frames of the login socket: a length of 4 bytes in network order, then so many bytes. */
final class Frame {
  static final int LONGEST_REQUEST = 2_048;
  static final int LONGEST_REPLY = 32_768;
  private static final int PREFIX = 4;

  /** The result of reading the bytes so far. */
  sealed interface Read {
    record Incomplete() implements Read {}

    record Complete(Buffer message) implements Read {}

    record Broken(RequestFailure fault, String detail) implements Read {}
  }

  private Frame() {}

  static Read read(Buffer received) {
    if (received.length() < PREFIX) {
      return new Read.Incomplete();
    }
    long length = received.getUnsignedInt(0);
    if (length > LONGEST_REQUEST) {
      return new Read.Broken(RequestFailure.OVERSIZED, length + " bytes");
    }
    int end = PREFIX + (int) length;
    if (received.length() < end) {
      return new Read.Incomplete();
    }
    return received.length() > end
        ? new Read.Broken(RequestFailure.TRAILING, (received.length() - end) + " bytes")
        : new Read.Complete(received.getBuffer(PREFIX, end));
  }

  static Buffer of(byte[] message) {
    if (message.length > LONGEST_REPLY) {
      throw new IllegalArgumentException("a reply of " + message.length + " bytes is too long");
    }
    return Buffer.buffer(PREFIX + message.length).appendInt(message.length).appendBytes(message);
  }
}
