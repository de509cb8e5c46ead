package dev.rollcall.wire.grpc.limit;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Notes when a client's first message has come: a whole ClientHello of TLS (RFC 8446 sections 4 and
 * 5.1), which costs the server an answer, or the first bytes of plaintext HTTP. Then it leaves the
 * pipeline.
 */
final class FirstMessage extends ChannelInboundHandlerAdapter {
  private static final int HANDSHAKE = 22;

  /** Of a record: type, version, length; of a handshake message: type, length in three bytes. */
  private static final int HEADERS = 9;

  private static final int LENGTH_AT = 6;

  /** Less than the shortest request of HTTP/1.1 and the preface of HTTP/2. */
  private static final int PLAINTEXT = 16;

  private final Runnable came;
  private long seen;
  private int first;
  private int length;

  FirstMessage(Runnable came) {
    this.came = came;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof ByteBuf bytes && isWhole(bytes)) {
      context.pipeline().remove(this);
      came.run();
    }
    context.fireChannelRead(message);
  }

  private boolean isWhole(ByteBuf bytes) {
    int from = bytes.readerIndex();
    for (int i = 0; i < bytes.readableBytes() && seen + i < HEADERS; i++) {
      int value = bytes.getByte(from + i) & 0xff;
      first = seen + i == 0 ? value : first;
      length = seen + i < LENGTH_AT ? 0 : length << Byte.SIZE | value;
    }
    seen += bytes.readableBytes();
    return seen >= (first == HANDSHAKE ? HEADERS + length : PLAINTEXT);
  }
}
