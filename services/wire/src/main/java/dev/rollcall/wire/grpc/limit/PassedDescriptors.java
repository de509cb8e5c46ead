package dev.rollcall.wire.grpc.limit;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.unix.IntegerUnixChannelOption;

/**
 * Refuses file descriptors that peers pass with their messages (SCM_RIGHTS, unix(7)). Nobody reads
 * them here, so the kernel closes them on the thread that reads the message, and the close of a TCP
 * connection with a long SO_LINGER waits as long as its owner likes (socket(7)).
 */
final class PassedDescriptors {
  private static final int SOL_SOCKET = 1;

  /** Since Linux 6.16 (asm-generic/socket.h). Accepted connections inherit it. */
  private static final IntegerUnixChannelOption SO_PASSRIGHTS =
      new IntegerUnixChannelOption("SO_PASSRIGHTS", SOL_SOCKET, 83);

  private PassedDescriptors() {}

  /**
   * The sender gets EPERM from now on. An older kernel cannot refuse them.
   *
   * @param listening a unix socket that is not bound yet
   */
  static void refuse(Channel listening) {
    try {
      listening.config().setOption(SO_PASSRIGHTS, 0);
    } catch (ChannelException older) {
      return;
    }
  }
}
