package dev.rollcall.agent;

import dev.rollcall.linux.net.LocalAddresses;
import dev.rollcall.linux.net.Netns;
import dev.rollcall.model.Endpoint;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/** The addresses of this node's own network namespace. Thread-safe. */
record NodeAddresses(LocalAddresses kernel) {
  private static final Path LINKS = Path.of("/sys/class/net");

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

  /**
   * Those that other nodes may know: neither loopback nor link-local, nor of a bridge that leads to
   * no other machine.
   */
  Set<InetAddress> announced() {
    try {
      Set<InetAddress> found = new HashSet<>();
      NetworkInterface.networkInterfaces()
          .filter(link -> !staysOnNode(LINKS.resolve(link.getName())))
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

  /**
   * Whether a link is a bridge without a network card, as docker0 and virbr0: nearly all nodes have
   * its address, and no call to another node comes from it.
   *
   * @param link its directory in sysfs
   */
  static boolean staysOnNode(Path link) {
    File[] ports = link.resolve("brif").toFile().listFiles();
    return ports != null
        && Arrays.stream(ports)
            .map(port -> link.resolveSibling(port.getName()).toFile().list())
            .filter(Objects::nonNull)
            .flatMap(Arrays::stream)
            .noneMatch(file -> file.equals("device") || file.startsWith("lower_"));
  }
}
