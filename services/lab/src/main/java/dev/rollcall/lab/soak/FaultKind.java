package dev.rollcall.lab.soak;

/** The faults of a soak, and their places. */
enum FaultKind {
  AGENT_KILLED,
  AGENT_HUNG,
  AGENT_RESTARTED,
  GATEWAY_KILLED,
  GATEWAY_HUNG,
  GATEWAY_RESTARTED,
  NODE_CUT_OFF,
  NODE_LOSES_PACKETS,
  NODE_IS_SLOW,
  NODE_DISK_FULL,
  NODE_FSYNC_FAILS,
  NODE_CLOCK_STEPS,
  GATEWAY_CLOCK_STEPS,
  NODE_REBOOTS,
  GATEWAYS_SPLIT,
  NODES_PARTED;

  /** Whether the target is a gateway, and not a compute node. */
  boolean isOfGateway() {
    return switch (this) {
      case GATEWAY_KILLED, GATEWAY_HUNG, GATEWAY_RESTARTED, GATEWAY_CLOCK_STEPS, GATEWAYS_SPLIT ->
          true;
      default -> false;
    };
  }

  /** Whether the agent or gateway there is another process afterwards. */
  boolean endsProcess() {
    return switch (this) {
      case AGENT_KILLED, AGENT_RESTARTED, GATEWAY_KILLED, GATEWAY_RESTARTED, NODE_REBOOTS -> true;
      default -> false;
    };
  }
}
