package dev.rollcall.model;

import java.util.Optional;

/**
 * A process with its node, for use outside this node.
 *
 * @param pid as the node's initial pid namespace numbers it
 * @param startTime as in {@link ProcessRef}; empty: whichever process has the pid
 */
public record ProcessOnNode(NodeName node, int pid, Optional<Long> startTime) {
  public ProcessOnNode {
    var _ = new ProcessRef(pid, startTime.orElse(0L));
  }

  /** Whether this process of the node is the one. */
  public boolean is(ProcessRef process) {
    return process.pid() == pid && startTime.map(at -> at == process.startTime()).orElse(true);
  }

  @Override
  public String toString() {
    return "pid " + pid + " on node " + node;
  }
}
