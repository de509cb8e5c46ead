package dev.rollcall.model;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * Who opened a connection.
 *
 * @param node where the calling process runs
 * @param uid of the caller when it called connect()
 * @param at when it called
 */
public record Caller(
    String cluster, NodeName node, Membership membership, int uid, ProcessRef process, Instant at) {
  public Caller {
    requireNonNull(cluster, "cluster");
    requireNonNull(node, "node");
    requireNonNull(membership, "membership");
    requireNonNull(process, "process");
    requireNonNull(at, "at");
  }
}
