package dev.rollcall.agent.watch;

import dev.rollcall.model.NodeName;

/** The cluster and the node name that this node publishes for its callers. */
public record NodeIdentity(String cluster, NodeName node) {}
