package dev.rollcall.wire.local;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import dev.rollcall.wire.grpc.MessageLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/** Encodes frames: a length of 4 bytes in network order, then so many bytes of protobuf. */
final class LocalFrame {
  static final int PREFIX_BYTES = 4;

  /** The largest reply without its prefix: a message, and the fields around it. */
  static final int MOST_REPLY_BYTES = MessageLimits.MESSAGE_BYTES + 1024;

  private LocalFrame() {}

  static byte[] of(MessageLite message) {
    int length = message.getSerializedSize();
    byte[] frame = new byte[PREFIX_BYTES + length];
    ByteBuffer.wrap(frame).putInt(length);
    try {
      var output = CodedOutputStream.newInstance(frame, PREFIX_BYTES, length);
      message.writeTo(output);
      output.checkNoSpaceLeft();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return frame;
  }
}
