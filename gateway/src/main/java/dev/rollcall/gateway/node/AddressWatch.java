package dev.rollcall.gateway.node;

import dev.rollcall.gateway.audit.GatewayAudit;
import dev.rollcall.gateway.identity.Identity;
import dev.rollcall.gateway.route.Router;
import dev.rollcall.model.AddressText;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.RefusedAddresses;
import dev.rollcall.model.RefusedAddresses.Refused;
import dev.rollcall.port.Roll;
import dev.rollcall.port.Roll.Owner;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Follows which addresses of a connected node count as its own. Others may claim them, and the
 * site's file and the gateways change. On the stream's executor.
 */
final class AddressWatch {
  private static final System.Logger LOG = System.getLogger(AddressWatch.class.getName());

  /** Other nodes that claim an address, for people. */
  private static final int NAMED = 3;

  private final Router router;
  private final GatewayAudit audit;
  private final Identity peer;
  private final HelloCheck.Result.Welcome welcome;
  private final Roll.NodeDescription said;
  private volatile Set<InetAddress> contested = Set.of();
  private RefusedAddresses last = RefusedAddresses.NONE;

  AddressWatch(NodeStreamParts parts, Identity peer, HelloCheck.Result.Welcome welcome) {
    this.router = parts.router();
    this.audit = parts.audit();
    this.peer = peer;
    this.welcome = welcome;
    this.said = welcome.description();
  }

  /**
   * Looks which do not count now. Callers that were pushed from these addresses are forgotten.
   *
   * @return whether there are others than before
   */
  boolean look() {
    List<Refused> refused = new ArrayList<>();
    Set<InetAddress> found = new HashSet<>();
    said.claimed().stream()
        .sorted(HelloCheck.BY_BYTES)
        .forEach(address ->
            contest(address)
                .ifPresent(why -> {
                  found.add(address);
                  refused.add(new Refused(address, why));
                }));
    contested = found;
    refused.addAll(welcome.refused().shown());
    RefusedAddresses before = last;
    last = RefusedAddresses.of(refused, welcome.refused().more());
    boolean changed = !last.equals(before);
    if (changed && last.count() > 0) {
      LOG.log(Level.WARNING, "node {0}: {1}", said.epoch().node(), last);
      audit.ignored(
          peer,
          said.epoch().node().text(),
          AddressText.of(last.shown().getFirst().address()),
          last.toString());
    }
    return changed;
  }

  /** Those that do not count, as looked last. */
  RefusedAddresses last() {
    return last;
  }

  /** How many of them another node has or claims. From any thread. */
  int contested() {
    return contested.size();
  }

  /** Whether the node's Hello has another result now than when it connected. */
  boolean isOutdated(HelloCheck.Result now) {
    return !now.equals(welcome);
  }

  /** Who has or claims an address of the node, too. */
  private Optional<String> contest(InetAddress address) {
    NodeName self = said.epoch().node();
    return switch (router.ownerOf(address)) {
      case Owner.OneNode(NodeName node, _) when node.equals(self) -> Optional.empty();
      case Owner.OneNode(NodeName node, _) -> {
        forget(address, Set.of(self));
        yield Optional.of("it is listed for node " + node);
      }
      case Owner.Nobody() -> Optional.of("it is listed for another node, which does not have it");
      case Owner.Disputed(Set<NodeName> nodes) -> {
        // With a third node the address was disputed before: only this node can have had it.
        forget(address, nodes.size() > 2 ? Set.of(self) : nodes);
        audit.disputed(address, nodes);
        List<String> others =
            nodes.stream().filter(node -> !node.equals(self)).map(NodeName::text).sorted().toList();
        yield Optional.of(
            "claimed by node "
                + String.join(", ", others.subList(0, Math.min(others.size(), NAMED)))
                + (others.size() > NAMED ? ", ..." : "")
                + ", too");
      }
    };
  }

  /** The address may have moved: calls from it may be those of another node since. */
  private void forget(InetAddress address, Set<NodeName> nodes) {
    if (!contested.contains(address)) {
      nodes.forEach(node -> router.lost(node, address));
    }
  }
}
