package dev.rollcall.wire.grpc;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.concurrent.TimeUnit;

/**
 * Closes streams of an HTTP/2 connection whose answer is complete and whose request has no end,
 * after a second, by RST_STREAM with NO_ERROR (RFC 9113, section 8.1). Without it such a stream,
 * and the library's last message of it, would stay as long as the connection. On its event loop.
 */
final class EndedStreams extends Http2ConnectionAdapter {
  private static final int WITHIN_MILLIS = 1_000;

  private final ChannelHandlerContext context;

  /**
   * @param context of the connection's {@link Http2ConnectionHandler}
   */
  EndedStreams(ChannelHandlerContext context) {
    this.context = context;
  }

  @Override
  public void onStreamHalfClosed(Http2Stream stream) {
    if (stream.state() == Http2Stream.State.HALF_CLOSED_LOCAL) {
      var _ =
          context.executor().schedule(() -> close(stream), WITHIN_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void close(Http2Stream stream) {
    if (stream.state() == Http2Stream.State.HALF_CLOSED_LOCAL) {
      var _ =
          ((Http2ConnectionHandler) context.handler())
              .resetStream(context, stream.id(), Http2Error.NO_ERROR.code(), context.newPromise());
      context.flush();
    }
  }
}
