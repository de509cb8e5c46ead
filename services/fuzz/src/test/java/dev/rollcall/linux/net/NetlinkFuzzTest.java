package dev.rollcall.linux.net;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rollcall.model.Protocol;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Datagrams of netlink, and the sockets that they describe. */
class NetlinkFuzzTest {
  @FuzzTest
  void fuzz(byte[] input) {
    ByteBuffer datagram = ByteBuffer.wrap(input).order(ByteOrder.nativeOrder());
    try {
      for (NetlinkMessage message : NetlinkMessage.parse(datagram)) {
        read(message);
      }
    } catch (MalformedReplyException e) {
      assertTrue(String.valueOf(e.getMessage()).contains("bytes"), e.getMessage());
    }
  }

  private static void read(NetlinkMessage message) throws MalformedReplyException {
    if (message.type() == NetlinkMessage.ERROR) {
      message.errno();
    } else if (message.type() != NetlinkMessage.DONE) {
      DiagSocket socket = DiagSocket.decode(Protocol.TCP, message);
      assertTrue(socket.local().port() >= 0 && socket.inode() >= 0, socket::toString);
    }
  }
}
