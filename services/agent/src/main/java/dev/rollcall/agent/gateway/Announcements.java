package dev.rollcall.agent.gateway;

import dev.rollcall.model.Call;
import dev.rollcall.model.Connection;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.wire.NodeMapper;
import java.net.InetAddress;
import java.util.LinkedHashMap;

/**
 * Numbers what this node announces and withdraws, for each far address. The number of an address
 * never goes back, because its node drops what has an old number. An address that is new, or was
 * forgotten, begins above the last numbers of all that were forgotten. Not thread-safe.
 */
final class Announcements {
  static final int MOST_ADDRESSES = 16_384;

  private final LinkedHashMap<InetAddress, Long> sequences = new LinkedHashMap<>(16, 0.75f, true);
  private final NodeName node;
  private final long epoch;
  private long highestForgotten;

  Announcements(NodeEpoch self) {
    this.node = self.node();
    this.epoch = self.number();
  }

  /** A number is used up even if the message is never sent: the far node must see the gap. */
  ConnectRequest announcement(Call call) {
    return ConnectRequest.newBuilder()
        .setAnnouncement(NodeMapper.announcement(call, epoch, next(call.connection())))
        .build();
  }

  /** Counted as an announcement is, for the same reason. */
  ConnectRequest withdrawal(Connection call) {
    return ConnectRequest.newBuilder()
        .setWithdrawal(NodeMapper.withdrawal(node, call, epoch, next(call)))
        .build();
  }

  private long next(Connection call) {
    long sequence =
        sequences.merge(call.remote().address(), highestForgotten + 1, (last, _) -> last + 1);
    if (sequences.size() > MOST_ADDRESSES) {
      highestForgotten = Math.max(highestForgotten, sequences.pollFirstEntry().getValue());
    }
    return sequence;
  }
}
