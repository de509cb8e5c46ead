package dev.rollcall.wire.grpc.limit;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Passes on whole frames alone. So the decoder behind it keeps nothing between two reads: its own
 * buffers are in no budget, and up to 64 KiB large. What has come of a frame waits in a buffer of
 * at most twice its size, which counts for the peer. The connection is closed if the peer may hold
 * no more. A frame of HTTP/2 that is too long passes as it comes: its decoder refuses it. Netty's
 * of TLS waits for 64 KiB first, also in the forms of DTLS and SSL 2.0: such a connection is
 * closed, and one with many TLS records without content, each of which may change the keys.
 */
final class WholeFrames extends ChannelInboundHandlerAdapter {
  /** How bytes are divided into frames. */
  enum Framing {
    /** RFC 8446 section 5.1; 2 KiB more than the plaintext, as RFC 5246 section 6.2.3 has it. */
    TLS_RECORDS(5, 3, 2, (16 << 10) + (2 << 10)),
    /** RFC 9113 section 4.1: the preface ends with SETTINGS, and no frame is larger than that. */
    HTTP2(9, 0, 3, 16 << 10);

    private static final int TLS_TYPES_FROM = 20;
    private static final int TLS_TYPES_TO = 24;
    private static final int TLS_MAJOR = 3;

    private final int header;
    private final int lengthAt;
    private final int lengthBytes;
    private final int most;

    /**
     * @param header its bytes, before those that the length counts
     * @param longest length of a frame
     */
    Framing(int header, int lengthAt, int lengthBytes, int longest) {
      this.header = header;
      this.lengthAt = lengthAt;
      this.lengthBytes = lengthBytes;
      this.most = header + longest;
    }

    /** Whether what begins with this byte is in frames: where TLS may come, it may be text. */
    private boolean begins(byte first) {
      return this == HTTP2 || (first < ' ' && first != '\r' && first != '\n');
    }

    /**
     * Bytes of the frame that begins here, or of its header while that is not whole; more than any
     * has if it is none.
     */
    private int size(ByteBuf bytes, int from) {
      if (bytes.writerIndex() - from < header) {
        return header;
      }
      int type = bytes.getByte(from);
      if (this == TLS_RECORDS
          && (type < TLS_TYPES_FROM
              || type > TLS_TYPES_TO
              || bytes.getByte(from + 1) != TLS_MAJOR)) {
        return Integer.MAX_VALUE;
      }
      int length = 0;
      for (int i = 0; i < lengthBytes; i++) {
        length = length << Byte.SIZE | bytes.getUnsignedByte(from + lengthAt + i);
      }
      return header + length;
    }
  }

  /** TLS records of a handshake, and of changes of keys. */
  static final int WITHOUT_CONTENT = 64;

  private static final String CONTENT = "records-content";

  /** Next to TLS: what was in a record. Netty's buffer for it has 16 KiB whatever its size is. */
  private final class Content extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      withoutContent = Math.max(0, withoutContent - 1);
      context.fireChannelRead(
          message instanceof ByteBuf bytes ? FittedBuffer.of(bytes, context.alloc()) : message);
    }
  }

  private final Framing framing;
  private final Consumer<Channel> refused;
  private int withoutContent;
  private ByteBuf kept = Unpooled.EMPTY_BUFFER;
  private boolean begun;

  /**
   * @param refused is told of a connection with too many records without content, which is ended
   */
  WholeFrames(Framing framing, Consumer<Channel> refused) {
    this.framing = framing;
    this.refused = refused;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof ByteBuf bytes) || !bytes.isReadable()) {
      context.fireChannelRead(message);
      return;
    }
    boolean framed = begun || framing.begins(bytes.getByte(bytes.readerIndex()));
    if (!begun && framing == Framing.TLS_RECORDS) {
      lookBehind(context.pipeline());
    }
    begun = true;
    if (!framed) {
      leave(context, bytes);
    } else if (!complete(context, bytes) || !pass(context, bytes)) {
      refuse(context, bytes);
    }
  }

  private void lookBehind(ChannelPipeline pipeline) {
    ChannelHandlerContext tls = pipeline.context(SslHandler.class);
    if (tls != null) {
      pipeline.addAfter(tls.name(), CONTENT, new Content());
    }
  }

  /** The name of the handler next to TLS, which has to see each record's content. */
  static Optional<String> behind(ChannelPipeline pipeline) {
    return Optional.ofNullable(pipeline.get(CONTENT)).map(_ -> CONTENT);
  }

  /** Adds to what is kept until that is a whole frame. False if it is none. */
  private boolean complete(ChannelHandlerContext context, ByteBuf bytes) {
    while (kept.isReadable() && bytes.isReadable()) {
      int size = framing.size(kept, 0);
      if (size > framing.most) {
        return false;
      }
      keep(context, bytes, Math.min(size - kept.readableBytes(), bytes.readableBytes()));
      if (framing.size(kept, 0) == kept.readableBytes() && !passRecord(context, taken(context))) {
        return false;
      }
    }
    return true;
  }

  /** Passes on the whole frames, and keeps the rest. False if there is one that is none. */
  private boolean pass(ChannelHandlerContext context, ByteBuf bytes) {
    int end = bytes.readerIndex();
    int size = framing.size(bytes, end);
    while (size <= bytes.writerIndex() - end) {
      end += size;
      if (framing == Framing.TLS_RECORDS && !passRecord(context, bytes.readRetainedSlice(size))) {
        return false;
      }
      size = framing.size(bytes, end);
    }
    if (size > framing.most) {
      return false;
    }
    if (end == bytes.writerIndex() && bytes.isReadable()) {
      context.fireChannelRead(bytes);
      return true;
    }
    if (end > bytes.readerIndex()) {
      context.fireChannelRead(bytes.readRetainedSlice(end - bytes.readerIndex()));
    }
    keep(context, bytes, bytes.readableBytes());
    bytes.release();
    return true;
  }

  /** False if too many had no content, or TLS has closed the connection. */
  private boolean passRecord(ChannelHandlerContext context, ByteBuf whole) {
    withoutContent++;
    context.fireChannelRead(whole);
    return framing == Framing.HTTP2
        || (withoutContent <= WITHOUT_CONTENT && context.channel().isOpen());
  }

  /** Grows to the double, so that bytes that come one by one are not copied each time. */
  private void keep(ChannelHandlerContext context, ByteBuf bytes, int size) {
    int having = kept.readableBytes();
    if (kept.writableBytes() < size) {
      int capacity = Math.min(Math.max(2 * having, having + size), framing.most);
      if (context.isRemoved()
          || !AcceptedConnection.hold(context.channel(), capacity - kept.capacity())) {
        bytes.skipBytes(bytes.readableBytes());
        var _ = context.close();
        return;
      }
      ByteBuf larger = context.alloc().directBuffer(capacity, capacity).writeBytes(kept);
      kept.release();
      kept = larger;
    }
    kept.writeBytes(bytes, size);
  }

  private ByteBuf taken(ChannelHandlerContext context) {
    ByteBuf whole = kept;
    kept = Unpooled.EMPTY_BUFFER;
    AcceptedConnection.release(context.channel(), whole.capacity());
    return whole;
  }

  private void refuse(ChannelHandlerContext context, ByteBuf bytes) {
    if (framing == Framing.HTTP2) {
      leave(context, bytes);
    } else {
      bytes.release();
      if (withoutContent > WITHOUT_CONTENT) {
        refused.accept(context.channel());
      }
      var _ = context.close();
    }
  }

  private void leave(ChannelHandlerContext context, ByteBuf bytes) {
    if (kept.isReadable()) {
      context.fireChannelRead(taken(context));
    }
    context.fireChannelRead(bytes);
    if (!context.isRemoved()) {
      context.pipeline().remove(this);
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    taken(context).release();
  }
}
