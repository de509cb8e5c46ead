package dev.rollcall.wire.grpc.limit;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Passes on whole frames alone. So the decoder behind it keeps nothing between two reads: its own
 * buffers are in no budget, and up to 64 KiB large. What has come of a frame waits in a buffer of
 * at most twice its size, which counts for the peer. The connection is closed if the peer may hold
 * no more. What are no such frames, or too long ones, passes as it comes: the decoder refuses it.
 */
final class WholeFrames extends ChannelInboundHandlerAdapter {
  /** How bytes are divided into frames. */
  enum Framing {
    /** RFC 8446 section 5.1; 2 KiB more than the plaintext, as RFC 5246 section 6.2.3 has it. */
    TLS_RECORDS(22, 5, 3, 2, (16 << 10) + (2 << 10)),
    /** RFC 9113 section 4.1: the preface ends with SETTINGS, and no frame is larger than that. */
    HTTP2(0, 9, 0, 3, 16 << 10);

    private final int first;
    private final int header;
    private final int lengthAt;
    private final int lengthBytes;
    private final int most;

    /**
     * @param first byte of all frames
     * @param header its bytes, before those that the length counts
     * @param longest length of a frame
     */
    Framing(int first, int header, int lengthAt, int lengthBytes, int longest) {
      this.first = first;
      this.header = header;
      this.lengthAt = lengthAt;
      this.lengthBytes = lengthBytes;
      this.most = header + longest;
    }

    /** Bytes of the frame that begins here, or of its header while that is not whole. */
    private int size(ByteBuf bytes, int from) {
      int length = 0;
      for (int i = 0; i < lengthBytes && bytes.writerIndex() - from >= header; i++) {
        length = length << Byte.SIZE | bytes.getUnsignedByte(from + lengthAt + i);
      }
      return header + length;
    }
  }

  private final Framing framing;
  private ByteBuf kept = Unpooled.EMPTY_BUFFER;
  private boolean begun;

  WholeFrames(Framing framing) {
    this.framing = framing;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof ByteBuf bytes) || !bytes.isReadable()) {
      context.fireChannelRead(message);
      return;
    }
    boolean known = begun || bytes.getUnsignedByte(bytes.readerIndex()) == framing.first;
    begun = true;
    if (!known || !complete(context, bytes) || !pass(context, bytes)) {
      leave(context, bytes);
    }
  }

  /** Adds to what is kept until that is a whole frame. False if it is none. */
  private boolean complete(ChannelHandlerContext context, ByteBuf bytes) {
    while (kept.isReadable() && bytes.isReadable()) {
      int size = framing.size(kept, 0);
      if (size > framing.most) {
        return false;
      }
      keep(context, bytes, Math.min(size - kept.readableBytes(), bytes.readableBytes()));
      if (framing.size(kept, 0) == kept.readableBytes()) {
        context.fireChannelRead(taken(context));
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
