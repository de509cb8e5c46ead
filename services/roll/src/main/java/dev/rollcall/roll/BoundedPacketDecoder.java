package dev.rollcall.roll;

import com.hazelcast.internal.networking.HandlerStatus;
import com.hazelcast.internal.nio.IOUtil;
import com.hazelcast.internal.nio.Packet;
import com.hazelcast.internal.nio.PacketIOHelper;
import com.hazelcast.internal.server.ServerConnection;
import com.hazelcast.internal.server.tcp.PacketDecoder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads Hazelcast's packets as {@link PacketDecoder} does, which reserves the length that a header
 * gives before anything of it has come. This one ends the connection when the length is over a
 * bound.
 */
final class BoundedPacketDecoder extends PacketDecoder {
  /** Of a packet of Hazelcast 5: version (1 byte), flags (2), partition (4), length (4). */
  static final int HEADER_BYTES = 11;

  private static final int LENGTH_AT = 7;

  private final PacketIOHelper reader = new PacketIOHelper();
  private final MemberConnections bound;
  private boolean withinPacket;

  BoundedPacketDecoder(
      ServerConnection connection, Consumer<Packet> packets, MemberConnections bound) {
    super(connection, packets);
    this.bound = bound;
  }

  @Override
  public HandlerStatus onRead() {
    src.flip();
    try {
      while (src.hasRemaining() && (withinPacket || isNextWithinBound())) {
        @Nullable Packet packet = reader.readFrom(src);
        withinPacket = packet == null;
        if (packet == null) {
          break;
        }
        onPacketComplete(packet);
      }
      return HandlerStatus.CLEAN;
    } finally {
      IOUtil.compactOrClear(src);
    }
  }

  /** False until the header has come, and when the packet is too long. */
  private boolean isNextWithinBound() {
    if (src.remaining() < HEADER_BYTES) {
      return false;
    }
    int length = src.getInt(src.position() + LENGTH_AT);
    if (length >= 0 && length <= bound.of(connection)) {
      return true;
    }
    src.position(src.limit());
    bound.exceeded(connection, length);
    return false;
  }
}
