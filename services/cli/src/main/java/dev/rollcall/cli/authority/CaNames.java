package dev.rollcall.cli.authority;

import dev.rollcall.authority.Names;
import dev.rollcall.cli.ask.NodeNames;
import dev.rollcall.model.AddressText;
import dev.rollcall.model.RoleUri.Role;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The words that say whose certificate it is to be. */
final class CaNames {
  @Parameters(
      index = "0",
      paramLabel = "ROLE",
      description =
          "node, login, gateway, service, administrator or monitor. login: a login node."
              + " monitor: reads metrics only.")
  private Role role = Role.NODE;

  @Parameters(
      index = "1",
      paramLabel = "NAME",
      description =
          "Name of the holder; for a node its name in the batch system. For nodes also a host list,"
              + " n[001-200]: each gets its files in a directory of its name, and the addresses to"
              + " which its name resolves.")
  private String name = "";

  @Option(
      names = "--address",
      paramLabel = "ADDRESS",
      description = "An IP address of the holder. Name all addresses of a node. May be repeated.")
  private List<String> addresses = new ArrayList<>();

  @Option(
      names = "--dns",
      paramLabel = "HOST",
      description = "A DNS name of a gateway. May be repeated.")
  private List<String> hosts = new ArrayList<>();

  @Option(
      names = "--port",
      paramLabel = "NUMBER",
      description =
          "A port of a service, which may ask about connections to this port. May be repeated.")
  private List<Integer> ports = new ArrayList<>();

  /** Whether only role and name are said, and a request says the rest. */
  boolean bare() {
    return addresses.isEmpty() && hosts.isEmpty() && ports.isEmpty();
  }

  /** The nodes of a host list; empty if one name is given. */
  Optional<NodeNames> list() {
    if (!role.isNode() || (!name.contains("[") && !name.contains(","))) {
      return Optional.empty();
    }
    if (!bare()) {
      throw new IllegalArgumentException(
          "a host list takes its addresses from the resolver: omit --address, --dns and --port");
    }
    return Optional.of(NodeNames.parse(name));
  }

  /** Names of one node of the list, with all addresses that getaddrinfo(3) has for it. */
  Names resolved(String cluster, String node) {
    try {
      var found = Arrays.stream(InetAddress.getAllByName(node)).map(AddressText::of).toList();
      return new Names(cluster, role, node, new TreeSet<>(), new TreeSet<>(found), new TreeSet<>());
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("the name does not resolve: " + e.getMessage(), e);
    }
  }

  Names of(String cluster) {
    if (role == Role.SERVICE && ports.isEmpty()) {
      throw new IllegalArgumentException("service " + name + " needs at least one --port");
    }
    return new Names(
        cluster, role, name, new TreeSet<>(ports), new TreeSet<>(addresses), new TreeSet<>(hosts));
  }

  /**
   * What a request asks for, if it is what was said here: whoever made it must not choose its role,
   * nor its name.
   */
  Names confirmed(Names asked, String cluster) {
    boolean same =
        bare() ? asked.role() == role && asked.name().equals(name) : asked.equals(of(cluster));
    if (!same) {
      throw new IllegalArgumentException(
          "the request is for %s, and not for %s"
              .formatted(asked, bare() ? role.word() + " " + name : of(cluster)));
    }
    return asked;
  }
}
