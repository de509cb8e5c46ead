package dev.rollcall.agent.attend;

import dev.rollcall.model.Call;
import dev.rollcall.proto.roll.v1.AttendRequest;
import dev.rollcall.wire.NodeWords;
import java.net.InetAddress;
import java.util.LinkedHashMap;

/** Numbers this node's announcements for each far address. Not thread-safe. */
final class Announcements {
  /** An address that falls out starts again at 1, which its node takes for a gap, and asks. */
  private static final int MOST_ADDRESSES = 16_384;

  private final LinkedHashMap<InetAddress, Long> sequences = new LinkedHashMap<>(16, 0.75f, true);
  private final long epoch;

  Announcements(long epoch) {
    this.epoch = epoch;
  }

  /** A number is used up even if the message is never sent: the far node must see the gap. */
  AttendRequest next(Call call) {
    long sequence = sequences.merge(call.connection().remote().address(), 1L, Long::sum);
    if (sequences.size() > MOST_ADDRESSES) {
      sequences.pollFirstEntry();
    }
    return AttendRequest.newBuilder()
        .setAnnouncement(NodeWords.announcement(call, epoch, sequence))
        .build();
  }
}
