package dev.rollcall.wire.grpc.limit;

import io.netty.buffer.ByteBuf;
import java.util.function.BooleanSupplier;

/**
 * Reads the headers of HTTP/2 frames in bytes that pass (RFC 9113 section 4.1), and skips what is
 * in the frames. Nothing is copied or kept.
 */
final class FrameHeaders {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int CONTINUATION = 9;

  private static final int LENGTH = 9;
  private static final int TYPE_AT = 3;
  private static final int STREAM_AT = 5;
  private static final int BYTE = 0xff;

  /** Gets each frame once its header has passed. */
  @FunctionalInterface
  interface Reader {
    /**
     * @param length of the frame without its header, in bytes
     * @param stream 31 bits; 0 is the connection
     */
    void frame(int type, int length, int stream);
  }

  private final Reader reader;
  private int at; // in the header
  private int length;
  private int type;
  private int stream;
  private int skip; // of the frame's own bytes

  FrameHeaders(Reader reader) {
    this.reader = reader;
  }

  /** From this index to the end of what can be read. */
  void pass(ByteBuf bytes, int from) {
    var _ = passWhile(bytes, from, () -> true);
  }

  /** The same, as long as more is wanted after a frame's header; returns the index after it. */
  int passWhile(ByteBuf bytes, int from, BooleanSupplier wanted) {
    int end = bytes.writerIndex();
    int index = from;
    while (index < end && (at > 0 || wanted.getAsBoolean())) {
      if (skip > 0) {
        int passed = Math.min(skip, end - index);
        skip -= passed;
        index += passed;
      } else {
        next(bytes.getByte(index++) & BYTE);
      }
    }
    return index;
  }

  private void next(int value) {
    if (at < TYPE_AT) {
      length = at == 0 ? value : length << Byte.SIZE | value;
    } else if (at == TYPE_AT) {
      type = value;
    } else if (at >= STREAM_AT) {
      stream = at == STREAM_AT ? value : stream << Byte.SIZE | value;
    }
    if (++at == LENGTH) {
      at = 0;
      skip = length;
      reader.frame(type, length, stream & Integer.MAX_VALUE);
    }
  }
}
