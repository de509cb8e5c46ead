package dev.rollcall.lab.cluster;

import java.util.List;

/** The batch system that owns the jobs of a test cluster, if Rollcall does not. */
public interface BatchSystem {
  /** Raises it on nodes that are up; returns when every part of it is ready. */
  void raise(TestCluster cluster);

  /** What agents must be told of it: lines of their configuration. */
  List<String> agentConfig();
}
