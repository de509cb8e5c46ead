package dev.rollcall.agent.gateway;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Computes the pause before the next gateway is tried. The first comes at once, since logins wait
 * for it: to accept a node takes a gateway about as long as to spread them would. Within a second
 * every gateway of the list has had its turn; after that the nodes of a cluster that lost them all
 * come back spread out, and all of them within 4 s of the first gateway.
 */
final class ReconnectPause {
  private static final long FIRST_MS = 50;
  private static final long QUICK_MS = 250;
  private static final long LONGEST_MS = 4_000;

  private ReconnectPause() {}

  /**
   * @param failures since the last connection to a gateway, at least 1
   * @param gateways in the list
   */
  static Duration before(int failures, int gateways, RandomGenerator random) {
    if (failures <= gateways) {
      return Duration.ofMillis(1 + random.nextLong(failures == 1 ? FIRST_MS : QUICK_MS));
    }
    int doublings = Math.min(failures - gateways, 5);
    long most = Math.min(LONGEST_MS, QUICK_MS << doublings);
    return Duration.ofMillis(most / 2 + random.nextLong(most / 2));
  }
}
