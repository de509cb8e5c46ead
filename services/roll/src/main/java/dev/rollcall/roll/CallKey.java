package dev.rollcall.roll;

import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import java.nio.ByteBuffer;

/**
 * A connection as the key of the calls: the protocol's number, then address and port of the local
 * and the remote end, in network order; 13 bytes for IPv4, 37 for IPv6.
 */
final class CallKey {
  private CallKey() {}

  static byte[] of(Connection connection) {
    byte[] local = connection.local().address().getAddress();
    ByteBuffer key = ByteBuffer.allocate(1 + 2 * (local.length + 2));
    key.put((byte) connection.protocol().number());
    put(key, connection.local());
    put(key, connection.remote());
    return key.array();
  }

  private static void put(ByteBuffer key, Endpoint end) {
    key.put(end.address().getAddress()).putShort((short) end.port());
  }
}
