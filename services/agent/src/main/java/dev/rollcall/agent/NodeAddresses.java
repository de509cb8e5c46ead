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
record NodeAddresses(LocalAddresses kernel) {
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

  /** Those that other nodes may know: neither loopback nor link-local. */
  Set<InetAddress> announced() {
    try {
      Set<InetAddress> found = new HashSet<>();
      NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          // Through Endpoint, which drops zone ids and v4-mapping.
          .map(address -> new Endpoint(address, 0))
          .filter(endpoint -> !endpoint.staysOnNode())
          .forEach(endpoint -> found.add(endpoint.address()));
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException("the node's interfaces could not be read", e);
    }
  }
}
