package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.proto.v1.CallerAnswer;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;
import java.time.Duration;
import java.util.List;

/**
 * Whether all agents are connected again, found out by what it is for: a call made on one node is
 * told on another.
 */
final class NodesConnected {
  private static final Duration DEADLINE = Patience.ofSeconds(30);
  private static final int SSH = 22;

  private final Stage stage;

  NodesConnected(Stage stage) {
    this.stage = stage;
  }

  void await() {
    List<ClusterNode> nodes = stage.cluster().nodes();
    for (int i = 0; i < nodes.size(); i++) {
      await(nodes.get(i), nodes.get((i + 1) % nodes.size()));
    }
  }

  private void await(ClusterNode from, ClusterNode asked) {
    NodeAddress to = asked.address();
    InJob shell = InJob.of(from.start(User.ROOT, PlainCall.command(to, SSH)));
    try (var call = PlainCall.of(from, shell, to, SSH)) {
      Eventually.await(
          DEADLINE,
          () -> told(asked, call),
          () ->
              asked.name()
                  + " cannot tell a caller on "
                  + from.name()
                  + ": "
                  + answer(asked, call));
    }
  }

  private boolean told(ClusterNode asked, PlainCall call) {
    return answer(asked, call).hasFound();
  }

  private CallerAnswer answer(ClusterNode asked, PlainCall call) {
    return stage.agents().identify(asked, call.connection());
  }
}
