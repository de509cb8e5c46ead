package dev.rollcall.linux.net;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One message of netlink(7).
 *
 * @param payload what follows the header, in native byte order
 */
record NetlinkMessage(int type, int sequence, ByteBuffer payload) {
  static final int HEADER = 16; // u32 length, u16 type, u16 flags, u32 sequence, u32 port
  static final int ERROR = 2;
  static final int DONE = 3;

  private static final int ATTRIBUTE_HEADER = 4; // u16 length, u16 type
  private static final int TYPE_MASK = 0x3fff; // NLA_TYPE_MASK

  /** Reads every message of one datagram. */
  static List<NetlinkMessage> parse(ByteBuffer datagram) throws MalformedReplyException {
    List<NetlinkMessage> messages = new ArrayList<>(1);
    int at = 0;
    while (at < datagram.limit()) {
      int left = datagram.limit() - at;
      int length = left < HEADER ? 0 : datagram.getInt(at);
      if (length < HEADER || length > left) {
        throw new MalformedReplyException(
            "netlink message of " + length + " bytes with " + left + " left");
      }
      messages.add(
          new NetlinkMessage(
              datagram.getShort(at + 4) & 0xffff,
              datagram.getInt(at + 8),
              part(datagram, at + HEADER, length - HEADER)));
      at += Math.min(aligned(length), left);
    }
    return messages;
  }

  /** The errno of an ERROR message; 0 is an acknowledgement. */
  int errno() throws MalformedReplyException {
    if (payload.limit() < 4) {
      throw new MalformedReplyException("netlink error of " + payload.limit() + " bytes");
    }
    return -payload.getInt(0);
  }

  /** The attributes by type; a later one of a type replaces an earlier. */
  Map<Integer, ByteBuffer> attributes(int from) throws MalformedReplyException {
    Map<Integer, ByteBuffer> found = new HashMap<>();
    int at = from;
    while (payload.limit() - at >= ATTRIBUTE_HEADER) {
      int length = payload.getShort(at) & 0xffff;
      if (length < ATTRIBUTE_HEADER || length > payload.limit() - at) {
        throw new MalformedReplyException("netlink attribute of " + length + " bytes at " + at);
      }
      int type = payload.getShort(at + 2) & TYPE_MASK;
      found.put(type, part(payload, at + ATTRIBUTE_HEADER, length - ATTRIBUTE_HEADER));
      at += aligned(length);
    }
    return found;
  }

  static byte[] bytes(ByteBuffer from, int at, int length) {
    byte[] bytes = new byte[length];
    from.get(at, bytes);
    return bytes;
  }

  private static ByteBuffer part(ByteBuffer whole, int at, int length) {
    return whole.slice(at, length).order(whole.order());
  }

  private static int aligned(int length) {
    return length + 3 & ~3;
  }
}
