package dev.rollcall.wire.grpc.limit;

import dev.rollcall.wire.grpc.limit.WholeFrames.Framing;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.impl.tcp.Http1xOrH2CHandler;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Ends an HTTP/2 connection on which come more frames that ask for nothing than its calls explain:
 * PING, PRIORITY, SETTINGS, WINDOW_UPDATE, RST_STREAM, empty DATA, types that nobody knows. Each
 * costs one of the connection's credit. Calls and messages, in both directions, and time give
 * credit. It stands in front of HTTP/2, behind TLS, and leaves where something else is spoken.
 */
final class FrameCredit extends ChannelDuplexHandler {
  static final int AT_START = 1_000;

  /** So that past calls do not pay for a flood. */
  static final int MOST = 10_000;

  static final int OF_A_CALL = 16;

  /** A client acknowledges one by at most two WINDOW_UPDATE, and measures by a PING. */
  static final int OF_A_MESSAGE = 3;

  static final int OF_A_SECOND = 10;

  /** The least bytes of a DATA frame with content: the prefix of a gRPC message. */
  private static final int SMALLEST_DATA = 5;

  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final Consumer<Channel> refused;
  private final FrameHeaders received = new FrameHeaders(this::received);
  private final FrameHeaders sent = new FrameHeaders(this::sent);
  private int matched; // of the preface
  private int lastStream;
  private int credit = AT_START;
  private long paidNanos = System.nanoTime();
  private boolean ended;

  /**
   * @param refused is told of a connection that is ended
   */
  FrameCredit(Consumer<Channel> refused) {
    this.refused = refused;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    SslHandler tls = matched == 0 ? context.pipeline().get(SslHandler.class) : null;
    if (ended) {
      ReferenceCountUtil.release(message);
    } else if (tls != null && isBefore(context, tls)) {
      goBehind(context, tls, message);
    } else if (message instanceof ByteBuf bytes) {
      read(context, bytes);
    } else {
      context.fireChannelRead(message);
    }
  }

  /** What came is not decrypted yet. */
  private static boolean isBefore(ChannelHandlerContext context, SslHandler tls) {
    ChannelPipeline pipeline = context.pipeline();
    List<String> names = pipeline.names();
    return names.indexOf(context.name()) < names.indexOf(pipeline.context(tls).name());
  }

  private void goBehind(ChannelHandlerContext context, SslHandler tls, Object message) {
    ChannelPipeline pipeline = context.pipeline();
    String before = WholeFrames.behind(pipeline).orElse(pipeline.context(tls).name());
    pipeline.addAfter(before, "frames", new FrameCredit(refused));
    pipeline.remove(this);
    context.fireChannelRead(message);
  }

  private void read(ChannelHandlerContext context, ByteBuf bytes) {
    int index = bytes.readerIndex();
    while (matched < PREFACE.length && index < bytes.writerIndex()) {
      if (bytes.getByte(index++) != PREFACE[matched]) {
        leave(context, bytes, index - bytes.readerIndex());
        return;
      }
      if (++matched == PREFACE.length) {
        context.fireChannelRead(bytes.readRetainedSlice(index - bytes.readerIndex()));
        String here = context.name();
        var _ = context.pipeline().addAfter(here, "requests-per-turn", new RequestsPerTurn());
        var _ =
            context
                .pipeline()
                .addAfter(here, "frames-whole", new WholeFrames(Framing.HTTP2, refused));
      }
    }
    received.pass(bytes, index);
    if (ended) {
      bytes.release();
      refused.accept(context.channel());
      var _ = context.channel().config().setAutoRead(false);
      var _ = context.close();
    } else {
      context.fireChannelRead(bytes);
    }
  }

  /**
   * It is HTTP/1.1, or a login.
   *
   * @param known bytes after which that is clear
   */
  private void leave(ChannelHandlerContext context, ByteBuf bytes, int known) {
    ChannelPipeline pipeline = context.pipeline();
    if (pipeline.get(Http1xOrH2CHandler.class) != null) {
      context.fireChannelRead(bytes.readRetainedSlice(known));
      KeptProtocol.addTo(pipeline);
    }
    context.fireChannelRead(bytes);
    if (pipeline.context(this) != null) {
      pipeline.remove(this);
    }
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof ByteBuf bytes) {
      sent.pass(bytes, bytes.readerIndex());
    }
    var _ = context.write(message, promise);
  }

  private void received(int type, int length, int stream) {
    if (type == FrameHeaders.HEADERS && stream > lastStream) {
      lastStream = stream;
      earn(OF_A_CALL);
    } else if (type == FrameHeaders.DATA && length >= SMALLEST_DATA) {
      earn(OF_A_MESSAGE);
    } else if (type != FrameHeaders.CONTINUATION && --credit < 0) {
      long now = System.nanoTime();
      earn((int) Math.min(MOST, (now - paidNanos) * OF_A_SECOND / TimeUnit.SECONDS.toNanos(1)));
      if (credit >= 0) {
        paidNanos = now;
      }
      ended = credit < 0;
    }
  }

  private void sent(int type, int length, int stream) {
    if (stream > 0 && (type == FrameHeaders.HEADERS || (type == FrameHeaders.DATA && length > 0))) {
      earn(OF_A_MESSAGE);
    }
  }

  private void earn(int more) {
    credit = Math.min(MOST, credit + more);
  }
}
