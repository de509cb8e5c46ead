package dev.rollcall.lab.soak;

import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Something that happens at a time of the soak, counted from its beginning. */
sealed interface Planned {
  Duration at();

  /** A job begins on nodes, and ends on all of them. */
  record JobRuns(Duration at, Duration ends, long job, User owner, List<NodeAddress> nodes)
      implements Planned {
    public JobRuns {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * A user goes to a node by ssh.
   *
   * @param job from a step of this job on {@code from}; empty: from outside of every job
   */
  record Login(
      Duration at,
      int number,
      User user,
      Optional<Long> job,
      NodeAddress from,
      NodeAddress to,
      Duration stays)
      implements Planned {}

  /** A fault of a gateway or of a node. */
  record Trouble(Duration at, Duration ends, FaultKind kind, NodeAddress target)
      implements Planned {}

  /** Somebody is hostile: a user on a node with an agent, or a node at a gateway. */
  record Attack(Duration at, Duration ends, AttackKind kind, NodeAddress target)
      implements Planned {}
}
