package dev.rollcall.roll;

import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll.Owner;
import java.net.InetAddress;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * This member's copy of every node's entry, and whose each address is. Readers take no lock. It
 * learns of this member's changes before they return and of others' by events, some milliseconds
 * later; what it hears out of order it ignores.
 */
final class NodeIndex {
  private final Map<String, NodeValue> nodes = new ConcurrentHashMap<>();
  private final Map<InetAddress, Set<String>> claimants = new ConcurrentHashMap<>();

  private final LeaseWatch leases;

  NodeIndex(LeaseWatch leases) {
    this.leases = leases;
  }

  /** Whether the node is not lost yet, and nothing was heard of it for the length of its lease. */
  boolean isSilent(NodeValue node) {
    return leases.isOver(node);
  }

  Optional<NodeValue> find(String node) {
    return Optional.ofNullable(nodes.get(node));
  }

  Collection<NodeValue> all() {
    return nodes.values();
  }

  synchronized void told(NodeValue value) {
    NodeValue before = nodes.get(value.node());
    if (before == null || value.supersedes(before)) {
      Set<InetAddress> had = claims(before);
      Set<InetAddress> has = claims(value);
      nodes.put(value.node(), value);
      leases.told(value);
      had.stream().filter(a -> !has.contains(a)).forEach(a -> unclaim(a, value.node()));
      has.stream().filter(a -> !had.contains(a)).forEach(a -> claim(a, value.node()));
    }
  }

  synchronized void forgotten(String node) {
    NodeValue before = nodes.remove(node);
    leases.forgotten(node);
    claims(before).forEach(a -> unclaim(a, node));
  }

  Owner ownerOf(InetAddress address) {
    Set<String> names = claimants.getOrDefault(address, Set.of());
    if (names.size() > 1) {
      return new Owner.Disputed(names.stream().map(NodeName::new).collect(Collectors.toSet()));
    }
    return names.stream()
        .findFirst()
        .flatMap(this::find)
        .<Owner>map(n -> new Owner.OneNode(n.epoch().node(), n.said().gateway()))
        .orElseGet(Owner.Nobody::new);
  }

  private static Set<InetAddress> claims(@org.jspecify.annotations.Nullable NodeValue node) {
    return node == null || node.lease().lost() ? Set.of() : node.said().addresses();
  }

  private void claim(InetAddress address, String node) {
    claimants.merge(
        address,
        Set.of(node),
        (had, more) -> {
          var names = new HashSet<>(had);
          names.addAll(more);
          return Set.copyOf(names);
        });
  }

  private void unclaim(InetAddress address, String node) {
    claimants.computeIfPresent(
        address,
        (_, had) -> {
          var names = new HashSet<>(had);
          names.remove(node);
          return names.isEmpty() ? null : Set.copyOf(names);
        });
  }
}
