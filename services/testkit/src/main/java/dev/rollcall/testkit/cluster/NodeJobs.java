package dev.rollcall.testkit.cluster;

import java.nio.file.Path;
import java.util.List;

/** Jobs on the nodes of a cluster, as root begins and ends them there. */
public interface NodeJobs {
  /** Begins a job now: the newest of its owner's. */
  void begin(ClusterNode node, long job, User owner);

  /** Ends a job and returns how many processes that killed; the node is clean then. */
  int end(ClusterNode node, long job);

  /** The jobs that the node has open. */
  List<Long> open(ClusterNode node);

  /** Makes the next step of a job and returns the cgroup.procs files that lead into it. */
  List<Path> beginStep(ClusterNode node, long job);
}
