package dev.rollcall.wire.grpc;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes streams of an HTTP/2 connection whose answer is complete and whose request has no end,
 * after a second, by RST_STREAM with NO_ERROR (RFC 9113, section 8.1). Without it such a stream,
 * and the library's last message of it, would stay as long as the connection. On its event loop.
 *
 * <p>A timer holds its stream, with the request. So it is cancelled when the stream is closed: a
 * client can have some thousand calls refused in a second.
 */
final class EndedStreams extends Http2ConnectionAdapter {
  private static final int WITHIN_MILLIS = 1_000;

  private final ChannelHandlerContext context;
  private final Http2Connection.PropertyKey timer;

  /**
   * @param context of the connection's {@link Http2ConnectionHandler}
   */
  EndedStreams(ChannelHandlerContext context) {
    this.context = context;
    this.timer = handler().connection().newKey();
  }

  private Http2ConnectionHandler handler() {
    return (Http2ConnectionHandler) context.handler();
  }

  @Override
  public void onStreamHalfClosed(Http2Stream stream) {
    if (stream.state() == Http2Stream.State.HALF_CLOSED_LOCAL) {
      stream.setProperty(
          timer,
          context.executor().schedule(() -> close(stream), WITHIN_MILLIS, TimeUnit.MILLISECONDS));
    }
  }

  @Override
  public void onStreamClosed(Http2Stream stream) {
    @Nullable Future<?> waiting = stream.removeProperty(timer);
    if (waiting != null) {
      waiting.cancel(false);
    }
  }

  private void close(Http2Stream stream) {
    if (stream.state() == Http2Stream.State.HALF_CLOSED_LOCAL) {
      var _ =
          handler()
              .resetStream(context, stream.id(), Http2Error.NO_ERROR.code(), context.newPromise());
      context.flush();
    }
  }
}
