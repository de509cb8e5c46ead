package dev.rollcall.gateway.node;

import java.time.Duration;

/**
 * @param version of this gateway
 * @param lease a node that is not heard of for this long is lost
 * @param keepCalls how long a call stays in the roll
 */
public record NodeStreamSettings(
    String cluster, String version, String gateway, Duration lease, Duration keepCalls) {
  /** Two may be late before the lease ends. */
  Duration heartbeat() {
    return lease.dividedBy(3);
  }
}
