package dev.rollcall.gateway.node;

import dev.rollcall.gateway.identity.NodeFile;
import dev.rollcall.model.Prefix;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Decides which addresses a gateway accepts because a node reports them, although neither its
 * certificate nor the site's file lists them. Thread-safe.
 *
 * @param prefixes the networks in which the site trusts such reports
 * @param file the site's list of addresses: what it lists is not accepted by report
 * @param gateways the addresses of the gateways
 */
public record NodeNetworks(
    List<Prefix> prefixes, Optional<NodeFile> file, Supplier<Set<InetAddress>> gateways) {
  /** Trusts no report. */
  public static final NodeNetworks NONE = new NodeNetworks(List.of(), Optional.empty(), Set::of);

  /** Addresses of a node that are accepted by report. */
  static final int MOST = 64;

  public NodeNetworks {
    prefixes = List.copyOf(prefixes);
  }

  /** Returns why an address is not accepted by report; empty if it is. */
  Optional<String> objection(InetAddress address) {
    if (prefixes.stream().noneMatch(prefix -> prefix.contains(address))) {
      return Optional.of(
          prefixes.isEmpty()
              ? "the certificate and node_file do not have it"
              : "the certificate and node_file do not have it, and no network of node_networks");
    }
    if (!NodeFile.isOfOneNode(address)) {
      return Optional.of("it cannot belong to one node");
    }
    if (gateways.get().contains(address)) {
      return Optional.of("it is a gateway's");
    }
    return file.map(list -> list.names(address))
        .filter(names -> !names.isEmpty())
        .map(names -> "node_file has it for " + String.join(" ", new TreeSet<>(names)));
  }
}
