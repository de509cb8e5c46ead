package dev.rollcall.testkit.http2;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** What one client writes on an HTTP/2 connection (RFC 9113), be it right or wrong. */
public final class FrameBytes {
  public static final int DATA = 0;
  public static final int HEADERS = 1;
  public static final int RST_STREAM = 3;
  public static final int SETTINGS = 4;
  public static final int PING = 6;
  public static final int CONTINUATION = 9;
  public static final int END_STREAM = 0x1;
  public static final int END_HEADERS = 0x4;

  private static final int LENGTH_BITS = 7;

  /** A length from this on takes more octets of HPACK than one (RFC 7541 section 5.1). */
  private static final int LONG = 0x7f;

  private final Buffer written = Buffer.buffer();

  /** Begins as a client has to. */
  public FrameBytes() {
    written.appendString("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    frame(SETTINGS, 0, 0, Buffer.buffer());
  }

  public FrameBytes frame(int type, int flags, int stream, Buffer payload) {
    return frame(type, flags, stream, payload, payload.length());
  }

  /**
   * @param length what the frame says of its payload
   */
  public FrameBytes frame(int type, int flags, int stream, Buffer payload, int length) {
    written
        .appendMedium(length)
        .appendByte((byte) type)
        .appendByte((byte) flags)
        .appendInt(stream)
        .appendBuffer(payload);
    return this;
  }

  public FrameBytes raw(Buffer bytes) {
    written.appendBuffer(bytes);
    return this;
  }

  public int length() {
    return written.length();
  }

  public Buffer written() {
    return written;
  }

  /** A gRPC message's prefix and what there is of it. */
  public static Buffer message(int compressed, int length, Buffer payload) {
    return Buffer.buffer().appendByte((byte) compressed).appendInt(length).appendBuffer(payload);
  }

  /** So many zeros, by gzip. */
  public static Buffer zipped(int zeros) {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new GZIPOutputStream(bytes)) {
      zip.write(new byte[zeros]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Buffer.buffer(bytes.toByteArray());
  }

  /** Header fields without a table (RFC 7541 section 6.2.2). */
  public static Buffer fields(Iterable<? extends Map.Entry<String, String>> fields) {
    Buffer block = Buffer.buffer();
    for (Map.Entry<String, String> field : fields) {
      block.appendByte((byte) 0);
      text(block, field.getKey());
      text(block, field.getValue());
    }
    return block;
  }

  private static void text(Buffer block, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length < LONG) {
      block.appendByte((byte) bytes.length);
    } else {
      block.appendByte((byte) LONG);
      int rest = bytes.length - LONG;
      while (rest > LONG) {
        block.appendByte((byte) ((rest & LONG) | (LONG + 1)));
        rest >>= LENGTH_BITS;
      }
      block.appendByte((byte) rest);
    }
    block.appendBytes(bytes);
  }
}
