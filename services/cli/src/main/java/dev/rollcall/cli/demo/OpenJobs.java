package dev.rollcall.cli.demo;

import dev.rollcall.testkit.cluster.ClusterNode;
import java.util.List;

/** A user's jobs that are open on the same nodes, oldest first, until this is closed. */
public record OpenJobs(StageJobs on, List<Long> ids, List<ClusterNode> nodes)
    implements AutoCloseable {
  public OpenJobs {
    ids = List.copyOf(ids);
    nodes = List.copyOf(nodes);
  }

  public long oldest() {
    return ids.getFirst();
  }

  public long newest() {
    return ids.getLast();
  }

  /** Ends all of them everywhere. */
  void end() {
    on.end(ids, nodes);
  }

  @Override
  public void close() {
    end();
  }
}
