package dev.rollcall.wire.memory;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Chooses whose connections are closed while memory is short: strangers first, then users, then
 * services; of one kind the peers that hold most. What a peer holds is what is counted, and the
 * bytes that its connections have received: these tell apart whose messages took memory that
 * nothing counts.
 */
final class LargestHolders {
  private LargestHolders() {}

  /**
   * Returns the connections to close; empty if only protected ones are open.
   *
   * @param held bytes counted for a peer, by its account
   * @param peers how many peers at most
   */
  static List<PeerConnection> among(
      Collection<PeerConnection> open, ToLongFunction<Object> held, int peers) {
    PeerKind first =
        open.stream().map(PeerConnection::kind).min(Comparator.naturalOrder()).orElse(null);
    if (first == null || first == PeerKind.PROTECTED) {
      return List.of();
    }
    List<PeerConnection> candidates = open.stream().filter(each -> each.kind() == first).toList();
    Map<Object, Long> weights = new HashMap<>();
    for (PeerConnection each : candidates) {
      weights.merge(each.account(), each.received(), Long::sum);
    }
    weights.replaceAll((account, received) -> received + held.applyAsLong(account));
    List<Object> largest =
        weights.entrySet().stream()
            .sorted(Map.Entry.<Object, Long>comparingByValue().reversed())
            .limit(peers)
            .map(Map.Entry::getKey)
            .toList();
    return candidates.stream().filter(each -> largest.contains(each.account())).toList();
  }
}
