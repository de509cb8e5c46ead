package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.ClusterNode;
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

  /** Stops one of them everywhere. */
  void suspend(long job) {
    on.suspend(job, nodes);
  }

  void resume(long job) {
    on.resume(job, nodes);
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
