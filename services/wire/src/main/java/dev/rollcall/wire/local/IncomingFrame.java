package dev.rollcall.wire.local;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/** The bytes of the frame that a connection reads: first of its length, then of its message. */
final class IncomingFrame {
  private byte[] bytes = new byte[LocalFrame.PREFIX_BYTES];
  private int filled;
  private boolean inPrefix = true;

  /** Bytes until the prefix, or the message, is complete. */
  int missing() {
    return bytes.length - filled;
  }

  boolean isEmpty() {
    return inPrefix && filled == 0;
  }

  /** True while only the length is read. */
  boolean isInPrefix() {
    return inPrefix;
  }

  /** Takes at most {@link #missing} of them. */
  void add(ByteBuf from) {
    int here = Math.min(missing(), from.readableBytes());
    from.readBytes(bytes, filled, here);
    filled += here;
  }

  /** The length of the message, once the prefix is complete: 0 to 2^32 - 1. */
  long length() {
    return Integer.toUnsignedLong(ByteBuffer.wrap(bytes).getInt());
  }

  /** Allocates the message, whose length was admitted. */
  void beginMessage() {
    bytes = new byte[(int) length()];
    inPrefix = false;
    filled = 0;
  }

  /** The message, which is complete; the next frame begins. */
  byte[] message() {
    byte[] message = bytes;
    bytes = new byte[LocalFrame.PREFIX_BYTES];
    inPrefix = true;
    filled = 0;
    return message;
  }
}
