package dev.rollcall.wire;

import dev.rollcall.proto.v1.ListOutsideProcessesRequest;
import dev.rollcall.proto.v1.NodeOutsideProcesses;
import dev.rollcall.proto.v1.OutsideProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/** Selects the processes in no job that a client may see. */
public final class OutsideProcessesSeen {
  private static final int MOST_NODES = 1_000;

  /** So that 32 nodes fit into one message. */
  private static final int MOST_BYTES = 30_000;

  /** What a message has before it in a list: its field, and its length. */
  private static final int FRAME = 4;

  private OutsideProcessesSeen() {}

  /** The nodes that a request names. */
  public static List<String> nodes(ListOutsideProcessesRequest request) {
    if (request.getNodesCount() > MOST_NODES) {
      throw new BadWordException("nodes", request.getNodesCount() + " are more than " + MOST_NODES);
    }
    for (int i = 0; i < request.getNodesCount(); i++) {
      CallerMapper.node(request.getNodes(i), "nodes[" + i + "]");
    }
    return List.copyOf(request.getNodesList());
  }

  /**
   * Theirs, as they see them: whose session a process came from is told if they may see that, too.
   *
   * @param maySee what is of this user
   */
  public static NodeOutsideProcesses by(IntPredicate maySee, NodeOutsideProcesses told) {
    var seen = new ArrayList<OutsideProcess>();
    int bytes = 0;
    int leftOut = told.getLeftOut();
    for (OutsideProcess each : theirs(maySee, told).toList()) {
      bytes += each.getSerializedSize() + FRAME;
      if (bytes <= MOST_BYTES) {
        seen.add(each);
      } else {
        leftOut++;
      }
    }
    return told.toBuilder()
        .clearOutsideProcesses()
        .addAllOutsideProcesses(seen)
        .setLeftOut(leftOut)
        .build();
  }

  private static Stream<OutsideProcess> theirs(IntPredicate maySee, NodeOutsideProcesses told) {
    return told.getOutsideProcessesList().stream()
        .filter(each -> maySee.test(each.getUid()))
        .map(each ->
            !each.hasSessionUid() || maySee.test(each.getSessionUid())
                ? each
                : each.toBuilder().clearSessionUid().clearAdoptionId().build());
  }
}
