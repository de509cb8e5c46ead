package dev.rollcall.gateway.node;

import java.time.Duration;

/**
 * @param version of this gateway
 * @param lease a node that is not heard of for this long is lost
 * @param keepCalls how long a call stays in the roll
 * @param networks in which nodes' reports of their addresses are accepted
 */
public record NodeStreamSettings(
    String cluster,
    String version,
    String gateway,
    Duration lease,
    Duration keepCalls,
    NodeNetworks networks) {
  private static final Duration TO_COME_BACK = Duration.ofSeconds(30);

  /** How long a node whose stream was lost or ended has to connect again before it is lost. */
  Duration toComeBack() {
    return lease.compareTo(TO_COME_BACK) < 0 ? lease : TO_COME_BACK;
  }

  /** Two may be late before the lease ends. */
  Duration heartbeat() {
    return lease.dividedBy(3);
  }
}
