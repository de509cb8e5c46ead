package dev.rollcall.agent.watch;

import dev.rollcall.model.NodeName;

/** As whose a caller of this node is told. */
public record NodeIdentity(String cluster, NodeName node) {}
