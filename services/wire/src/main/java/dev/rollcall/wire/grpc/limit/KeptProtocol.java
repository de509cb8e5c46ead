package dev.rollcall.wire.grpc.limit;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.vertx.core.http.impl.http2.codec.Http1xUpgradeToH2CHandler;

/**
 * A connection that began with HTTP/1.1 keeps it: the request to upgrade to HTTP/2, which RFC 9113
 * has no more, is left out, as a server may.
 */
@Sharable
final class KeptProtocol extends ChannelInboundHandlerAdapter {
  private static final KeptProtocol ONE = new KeptProtocol();

  static void addTo(ChannelPipeline pipeline) {
    ChannelHandler upgrade = pipeline.get(Http1xUpgradeToH2CHandler.class);
    if (upgrade != null) {
      pipeline.addBefore(pipeline.context(upgrade).name(), "kept-protocol", ONE);
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpRequest request) {
      request.headers().remove(HttpHeaderNames.UPGRADE);
    }
    context.fireChannelRead(message);
  }
}
