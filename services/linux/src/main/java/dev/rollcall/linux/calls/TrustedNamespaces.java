package dev.rollcall.linux.calls;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.linux.net.Netns;
import dev.rollcall.model.AddressText;
import dev.rollcall.model.Prefix;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The namespaces whose calls are believed: the agent's own and those that root has registered. Any
 * user can make others and give them the addresses of any node.
 */
final class TrustedNamespaces implements AutoCloseable {
  /** Whose a local address is. */
  sealed interface Owner {
    record One(TrustedNamespace namespace) implements Owner {}

    /**
     * @param reason why it is not trusted, for people
     */
    record Nobody(String reason) implements Owner {}
  }

  private static final System.Logger LOG = System.getLogger(TrustedNamespaces.class.getName());

  private final List<TrustedNamespace> all; // the agent's own first

  private TrustedNamespaces(List<TrustedNamespace> all) {
    this.all = List.copyOf(all);
  }

  /** A registered file that cannot be opened is logged and left out. */
  static TrustedNamespaces open(List<Path> registered) throws IOException {
    List<TrustedNamespace> opened = new ArrayList<>();
    opened.add(TrustedNamespace.open(Netns.own()));
    for (Path file : registered) {
      try {
        add(opened, Netns.at(file));
      } catch (IOException e) {
        LOG.log(WARNING, "calls in namespace " + file + " are not trusted: " + e.getMessage());
      }
    }
    return new TrustedNamespaces(opened);
  }

  private static void add(List<TrustedNamespace> opened, Netns netns) throws IOException {
    if (opened.stream().anyMatch(known -> known.netns().inode() == netns.inode())) {
      netns.close();
    } else {
      opened.add(TrustedNamespace.open(netns));
    }
  }

  List<TrustedNamespace> all() {
    return all;
  }

  /** The one namespace that has this address on an interface; loopback is the agent's own. */
  Owner owner(InetAddress address) throws IOException {
    if (address.isLoopbackAddress()) {
      return new Owner.One(all.getFirst());
    }
    List<TrustedNamespace> having = new ArrayList<>(1);
    for (TrustedNamespace namespace : all) {
      if (namespace.addresses().contains(address)) {
        having.add(namespace);
      }
    }
    return switch (having.size()) {
      case 0 -> new Owner.Nobody(AddressText.of(address) + " is in no trusted namespace");
      case 1 -> new Owner.One(having.getFirst());
      default -> new Owner.Nobody(AddressText.of(address) + " is in several: " + having);
    };
  }

  /** What is on-link in the agent's own namespace, without what never leaves the node. */
  Set<Prefix> onLink() throws IOException {
    return all.getFirst().addresses().onLink().stream()
        .filter(prefix ->
            PushedPrefixes.NEVER.stream().noneMatch(never -> never.contains(prefix.address())))
        .sorted(Comparator.comparingInt(Prefix::length))
        .limit(CallLimits.ON_LINK)
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public void close() {
    all.forEach(TrustedNamespace::close);
  }
}
