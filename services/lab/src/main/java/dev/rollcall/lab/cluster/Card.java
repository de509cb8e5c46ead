package dev.rollcall.lab.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * A network card of a node.
 *
 * @param device its name in the node
 * @param bridge the bridge at its other end
 * @param settings lines of {@code ip -batch} that set its addresses and routes
 */
record Card(String device, String bridge, List<String> settings) {
  Card {
    settings = List.copyOf(settings);
  }

  /** A card without addresses. */
  Card(String device, String bridge) {
    this(device, bridge, List.of("link set %s up".formatted(device)));
  }

  Card with(String settingsLine) {
    var more = new ArrayList<>(settings);
    more.add(settingsLine);
    return new Card(device, bridge, more);
  }

  Card withV4(String address, int length) {
    return with("addr add %s/%d dev %s".formatted(address, length, device));
  }

  /** Without a probe: an address that is being probed cannot be bound or called from. */
  Card withV6(String address, int length) {
    return with("addr add %s/%d dev %s nodad".formatted(address, length, device));
  }
}
