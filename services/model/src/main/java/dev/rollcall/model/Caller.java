package dev.rollcall.model;

import java.time.Instant;
import java.util.Optional;

/**
 * The process that opened a connection.
 *
 * @param node where the calling process runs
 * @param uid of the caller when it called connect()
 * @param at when it called
 * @param chosen the job that the user asks for by this call: their word, which proves nothing
 */
public record Caller(
    String cluster,
    NodeName node,
    Membership membership,
    int uid,
    ProcessRef process,
    Instant at,
    Optional<JobId> chosen) {
  /** One that asks for no job. */
  public Caller(
      String cluster,
      NodeName node,
      Membership membership,
      int uid,
      ProcessRef process,
      Instant at) {
    this(cluster, node, membership, uid, process, at, Optional.empty());
  }
}
