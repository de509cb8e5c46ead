package dev.rollcall.agent;

import dev.rollcall.linux.net.LocalAddresses;
import dev.rollcall.linux.net.Netns;
import dev.rollcall.model.Endpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.HashSet;
import java.util.Set;

/** The addresses of this node's own network namespace. Thread-safe. */
final class NodeAddresses {
  private final LocalAddresses kernel;
  private volatile Set<InetAddress> announced = Set.of();

  private NodeAddresses(LocalAddresses kernel) {
    this.kernel = kernel;
    renew();
  }

  static NodeAddresses open() throws IOException {
    try (Netns own = Netns.own()) {
      return new NodeAddresses(LocalAddresses.open(own));
    }
  }

  /** Whether an address is this node's. A microsecond. */
  boolean contains(InetAddress address) {
    try {
      return kernel.contains(address);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Those that other nodes may know, neither loopback nor link-local, when they were renewed. */
  Set<InetAddress> announced() {
    return announced;
  }

  /**
   * Reads them. Blocks while somebody configures an interface.
   *
   * @throws UncheckedIOException if the interfaces cannot be read: the earlier addresses stay
   */
  void renew() {
    try {
      Set<InetAddress> found = new HashSet<>();
      NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          // Through Endpoint, which drops zone ids and v4-mapping.
          .map(address -> new Endpoint(address, 0))
          .filter(endpoint -> !endpoint.staysOnNode())
          .forEach(endpoint -> found.add(endpoint.address()));
      announced = Set.copyOf(found);
    } catch (IOException e) {
      throw new UncheckedIOException("the node's interfaces could not be read", e);
    }
  }
}
