package dev.rollcall.load.attack;

import dev.rollcall.testkit.http2.FrameBytes;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;

/** Makes single frames of HTTP/2 (RFC 9113), valid or not. */
final class Http2Frame {
  static final int WINDOW_UPDATE = 8;
  private static final int PRIORITY = 2;
  private static final int UNKNOWN = 0xbb;
  private static final int ACK = 1;
  private static final int PADDED = 8;
  private static final int MOST_PADDING = 255;
  private static final int CANCEL = 8;

  /** The largest payload before the server has allowed more (RFC 9113, section 6.5.2). */
  private static final int MOST = 16_384;

  private Http2Frame() {}

  static byte[] of(int type, int flags, int stream, Buffer payload) {
    return Buffer.buffer()
        .appendMedium(payload.length())
        .appendByte((byte) type)
        .appendByte((byte) flags)
        .appendInt(stream)
        .appendBuffer(payload)
        .getBytes();
  }

  /** A header block that ends its request, in as many frames as it needs. */
  static List<byte[]> headers(int stream, Buffer block) {
    var frames = new ArrayList<byte[]>();
    int at = 0;
    do {
      int end = Math.min(block.length(), at + MOST);
      boolean isFirst = at == 0;
      int flags =
          (isFirst ? FrameBytes.END_STREAM : 0)
              | (end == block.length() ? FrameBytes.END_HEADERS : 0);
      int type = isFirst ? FrameBytes.HEADERS : FrameBytes.CONTINUATION;
      frames.add(of(type, flags, stream, block.slice(at, end)));
      at = end;
    } while (at < block.length());
    return frames;
  }

  /**
   * @param name a word of {@link Verb#FLOOD}
   */
  static byte[] control(String name, int stream) {
    Buffer one = Buffer.buffer().appendInt(1);
    return switch (name) {
      case "ping" -> of(FrameBytes.PING, 0, 0, Buffer.buffer(new byte[8]));
      case "settings" -> of(FrameBytes.SETTINGS, 0, 0, Buffer.buffer());
      case "priority" -> of(PRIORITY, 0, stream, Buffer.buffer(new byte[5]));
      case "window" -> of(WINDOW_UPDATE, 0, 0, one);
      case "trickle" -> of(WINDOW_UPDATE, 0, stream, one);
      case "acks" -> of(FrameBytes.SETTINGS, ACK, 0, Buffer.buffer());
      case "unknown" -> of(UNKNOWN, 0, stream, Buffer.buffer());
      case "padded" ->
          of(
              FrameBytes.DATA,
              PADDED,
              stream,
              Buffer.buffer().appendByte((byte) MOST_PADDING).appendBytes(new byte[MOST_PADDING]));
      default -> of(FrameBytes.DATA, 0, stream, Buffer.buffer());
    };
  }

  /**
   * A frame after which a stream has ended: the client's own reset, or an error.
   *
   * @param name a word of {@link Verb#BROKEN}
   */
  static byte[] breaking(String name, int stream) {
    return switch (name) {
      case "window" -> of(WINDOW_UPDATE, 0, stream, Buffer.buffer().appendInt(0));
      case "overflow" -> of(WINDOW_UPDATE, 0, stream, Buffer.buffer().appendInt(Integer.MAX_VALUE));
      case "priority" ->
          of(PRIORITY, 0, stream, Buffer.buffer().appendInt(stream).appendByte((byte) 0));
      case "late" -> of(FrameBytes.DATA, 0, stream, Buffer.buffer("late"));
      default -> of(FrameBytes.RST_STREAM, 0, stream, Buffer.buffer().appendInt(CANCEL));
    };
  }
}
