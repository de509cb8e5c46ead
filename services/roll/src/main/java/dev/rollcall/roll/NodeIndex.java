package dev.rollcall.roll;

import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll.NodeDescription;
import dev.rollcall.port.Roll.Owner;
import dev.rollcall.port.Roll.Presence;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.locks.StampedLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * This member's copy of every node's entry, and whose each address is. It learns of this member's
 * changes before they return and of others' by events, some milliseconds later; what it hears out
 * of order it ignores.
 *
 * <p>Linearizable, but for {@link #all} and {@link #isSilent}. A change of addresses is in two
 * maps, so who asks for an owner meanwhile asks again behind it; nobody else takes a lock to read,
 * and a lease that is renewed changes no address.
 */
final class NodeIndex {
  private final Map<String, NodeValue> nodes = new ConcurrentHashMap<>();

  /** In the order of the names, so that of many the same ones are named. */
  private final Map<InetAddress, SortedSet<String>> claimants = new ConcurrentHashMap<>();

  private final StampedLock moves = new StampedLock();

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

  /** A listing that changes as it is read: nodes come and go meanwhile. */
  Collection<NodeValue> all() {
    return nodes.values();
  }

  synchronized void told(NodeValue value) {
    NodeValue before = nodes.get(value.node());
    if (before == null || value.supersedes(before)) {
      leases.told(value); // first: what is seen here has a lease that runs
      if (before != null
          && before.said().equals(value.said())
          && before.lease().lost() == value.lease().lost()) {
        nodes.put(value.node(), value);
      } else {
        moved(value.node(), claims(before), claims(value), () -> nodes.put(value.node(), value));
      }
    }
  }

  synchronized void forgotten(String node) {
    moved(node, claims(nodes.get(node)), Set.of(), () -> nodes.remove(node));
    leases.forgotten(node);
  }

  private void moved(String node, Set<InetAddress> had, Set<InetAddress> has, Runnable change) {
    long stamp = moves.writeLock();
    try {
      change.run();
      had.stream().filter(a -> !has.contains(a)).forEach(a -> unclaim(a, node));
      has.stream().filter(a -> !had.contains(a)).forEach(a -> claim(a, node));
    } finally {
      moves.unlockWrite(stamp);
    }
  }

  Owner ownerOf(InetAddress address) {
    long look = moves.tryOptimisticRead();
    Owner owner = claimant(address);
    if (moves.validate(look)) {
      return owner;
    }
    long stamp = moves.readLock();
    try {
      return claimant(address);
    } finally {
      moves.unlockRead(stamp);
    }
  }

  /** Those of lost nodes, too: they may come back. */
  Set<InetAddress> addresses() {
    Set<InetAddress> addresses = new HashSet<>();
    nodes.values().forEach(node -> addresses.addAll(node.said().claimed()));
    return addresses;
  }

  Presence presence(NodeName node) {
    return find(node.text())
        .<Presence>map(n -> n.lease().lost() ? new Presence.Lost() : new Presence.Connected(n.at()))
        .orElseGet(Presence.Unknown::new);
  }

  List<Owner.OneNode> connected() {
    return nodes.values().stream().filter(n -> !n.lease().lost()).map(NodeValue::at).toList();
  }

  private Owner claimant(InetAddress address) {
    List<NodeDescription> connected = new ArrayList<>();
    List<NodeDescription> lost = new ArrayList<>();
    for (String name : claimants.getOrDefault(address, Collections.emptySortedSet())) {
      find(name).ifPresent(node -> (node.lease().lost() ? lost : connected).add(node.said()));
    }
    return Owner.of(address, connected, lost);
  }

  private static Set<InetAddress> claims(@Nullable NodeValue node) {
    return node == null
        ? Set.of()
        : Stream.concat(node.said().claimed().stream(), node.said().reserved().stream())
            .collect(Collectors.toSet());
  }

  private void claim(InetAddress address, String node) {
    claimants.computeIfAbsent(address, _ -> new ConcurrentSkipListSet<>()).add(node);
  }

  private void unclaim(InetAddress address, String node) {
    claimants.computeIfPresent(
        address,
        (_, names) -> {
          names.remove(node);
          return names.isEmpty() ? null : names;
        });
  }
}
