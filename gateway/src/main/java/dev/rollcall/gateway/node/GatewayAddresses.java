package dev.rollcall.gateway.node;

import static java.lang.System.Logger.Level.WARNING;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The addresses by which the gateways of the cluster are reached. Those of a gateway that is not up
 * stay, and those of a name that cannot be resolved now: no node may take them meanwhile.
 * Thread-safe.
 */
public final class GatewayAddresses implements Supplier<Set<InetAddress>> {
  private static final System.Logger LOG = System.getLogger(GatewayAddresses.class.getName());

  private final Map<String, Set<InetAddress>> byHost = new ConcurrentHashMap<>();
  private volatile Set<InetAddress> known = Set.of();

  @Override
  public Set<InetAddress> get() {
    return known;
  }

  /**
   * Resolves the gateways' names. Blocks.
   *
   * @param gateways host:port of each that is up
   */
  public void look(Set<String> gateways) {
    for (String gateway : gateways) {
      String host = gateway.substring(0, gateway.lastIndexOf(':')).replaceAll("[\\[\\]]", "");
      try {
        byHost.put(host, Set.copyOf(List.of(InetAddress.getAllByName(host))));
      } catch (UnknownHostException e) {
        if (byHost.putIfAbsent(host, Set.of()) == null) {
          LOG.log(WARNING, "the gateway {0} has no address: {1}", gateway, e.getMessage());
        }
      }
    }
    known = byHost.values().stream().flatMap(Set::stream).collect(Collectors.toUnmodifiableSet());
  }
}
