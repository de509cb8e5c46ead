package dev.rollcall.model;

import java.net.InetAddress;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Covers the addresses of the cluster's nodes. Other addresses may be covered, too.
 *
 * @param all at most {@link #MOST}, none of them a large part of all addresses
 */
public record ClusterPrefixes(Set<Prefix> all) {
  public static final int MOST = 4_096;

  /** The first two are the network of a node as it usually is; the last is the least allowed. */
  private static final List<Lengths> WIDER =
      List.of(new Lengths(24, 64), new Lengths(16, 48), new Lengths(12, 32), new Lengths(8, 16));

  /** Not of a node that others reach. IPv4 addresses are in ::/16, as mapped ones. */
  private static final List<Prefix> NO_NODES =
      Stream.of(
              "0.0.0.0/8",
              "127.0.0.0/8",
              "169.254.0.0/16",
              "224.0.0.0/4",
              "::/16",
              "fe80::/10",
              "ff00::/8")
          .map(Prefix::parse)
          .toList();

  private record Lengths(int ipv4, int ipv6) {
    int of(InetAddress address) {
      return address.getAddress().length == 4 ? ipv4 : ipv6;
    }
  }

  /**
   * @throws IllegalArgumentException naming the prefix that is not allowed, or their number
   */
  public ClusterPrefixes {
    all = Set.copyOf(all);
    if (all.size() > MOST) {
      throw new IllegalArgumentException(all.size() + " prefixes are more than " + MOST);
    }
    all.stream()
        .filter(Predicate.not(ClusterPrefixes::isAllowed))
        .findFirst()
        .ifPresent(bad -> {
          throw new IllegalArgumentException(
              bad + " covers too many addresses, or loopback, link-local or multicast ones");
        });
  }

  private static boolean isAllowed(Prefix prefix) {
    return prefix.length() >= WIDER.getLast().of(prefix.address()) && isOfNode(prefix.address());
  }

  private static boolean isOfNode(InetAddress address) {
    return NO_NODES.stream().noneMatch(prefix -> prefix.contains(address));
  }

  /** Covers these addresses: each /24 of IPv4 and /64 of IPv6, or wider ones if they are many. */
  public static ClusterPrefixes covering(Collection<InetAddress> addresses) {
    List<InetAddress> nodes = addresses.stream().filter(ClusterPrefixes::isOfNode).toList();
    Set<Prefix> covering = Set.of();
    for (Lengths lengths : WIDER) {
      covering =
          nodes.stream()
              .map(address -> new Prefix(address, lengths.of(address)))
              .collect(Collectors.toSet());
      if (covering.size() <= MOST) {
        return new ClusterPrefixes(covering);
      }
    }
    return new ClusterPrefixes(
        covering.stream()
            .sorted(Comparator.comparing(Prefix::toString))
            .limit(MOST)
            .collect(Collectors.toSet()));
  }

  /** Whether there are too many nodes' networks to name each. */
  public boolean isWidened() {
    return all.stream().anyMatch(each -> each.length() < WIDER.getFirst().of(each.address()));
  }
}
