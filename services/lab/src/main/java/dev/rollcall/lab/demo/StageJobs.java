package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.User;
import java.util.List;
import java.util.OptionalLong;

/** How jobs are begun and ended on a stage, and how its cgroups show who is in one. */
public interface StageJobs {
  /** Begins jobs of a user, one after the other, each on all of the nodes; oldest first. */
  List<Long> begin(int count, User owner, List<ClusterNode> nodes);

  /** Ends jobs on nodes and returns when those are clean. Jobs that are over already stay so. */
  void end(List<Long> jobs, List<ClusterNode> nodes);

  /** Stops every process of a job. */
  void suspend(long job, List<ClusterNode> nodes);

  /** Lets a suspended job go on. */
  void resume(long job, List<ClusterNode> nodes);

  /** Starts a command as a step of a job on a node. */
  InJob start(ClusterNode node, long job, User user, String... argv);

  /**
   * The job that a session on a node was adopted into.
   *
   * @param procCgroup the text of its /proc/PID/cgroup
   */
  OptionalLong adopter(ClusterNode node, String procCgroup);
}
