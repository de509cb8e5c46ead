package dev.rollcall.model;

/**
 * Identifies one run of one node's agent. What a node said in an earlier one is replaced by what it
 * says in a later one.
 *
 * @param bootId of {@code /proc/sys/kernel/random/boot_id}
 * @param number grows with each start of the agent within a boot
 */
public record NodeEpoch(NodeName node, String bootId, long number) {

  /** Whether this run began after the other: another boot, or a larger number. */
  public boolean replaces(NodeEpoch other) {
    return !bootId.equals(other.bootId) || number > other.number;
  }
}
