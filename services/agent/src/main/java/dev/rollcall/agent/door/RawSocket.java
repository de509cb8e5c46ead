package dev.rollcall.agent.door;

import io.netty.channel.unix.UnixChannel;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetSocket;
import java.io.IOException;

/** The descriptor below a socket of Vert.x. */
final class RawSocket {
  private RawSocket() {}

  /**
   * The number, which is the socket's as long as the event loop does not turn.
   *
   * @throws IOException if it is closed, so that its number may be another's
   */
  static int descriptor(NetSocket socket) throws IOException {
    var channel = ((NetSocketInternal) socket).channelHandlerContext().channel();
    if (!(channel instanceof UnixChannel unix)) {
      throw new IOException(channel + " is not a unix socket of the epoll transport");
    }
    if (!unix.fd().isOpen()) {
      throw new IOException("the peer has hung up");
    }
    return unix.fd().intValue();
  }
}
