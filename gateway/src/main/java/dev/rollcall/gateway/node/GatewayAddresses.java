package dev.rollcall.gateway.node;

import static java.lang.System.Logger.Level.WARNING;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** The addresses by which the gateways of the cluster are reached. Thread-safe. */
public final class GatewayAddresses implements Supplier<Set<InetAddress>> {
  private static final System.Logger LOG = System.getLogger(GatewayAddresses.class.getName());

  private volatile Set<InetAddress> known = Set.of();

  @Override
  public Set<InetAddress> get() {
    return known;
  }

  /**
   * Resolves the gateways' names. Blocks.
   *
   * @param gateways host:port of each
   */
  public void look(Set<String> gateways) {
    Set<InetAddress> found = new HashSet<>();
    for (String gateway : gateways) {
      String host = gateway.substring(0, gateway.lastIndexOf(':')).replaceAll("[\\[\\]]", "");
      try {
        found.addAll(List.of(InetAddress.getAllByName(host)));
      } catch (UnknownHostException e) {
        LOG.log(WARNING, "the gateway {0} has no address: {1}", gateway, e.getMessage());
      }
    }
    known = Set.copyOf(found);
  }
}
