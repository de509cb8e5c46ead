package dev.rollcall.cli.authority;

import dev.rollcall.authority.Names;
import dev.rollcall.model.RoleUri.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The words that say whose certificate it is to be. */
final class CaNames {
  @Parameters(
      index = "0",
      paramLabel = "ROLE",
      description = "node, login, gateway, service or administrator. login: a login node.")
  private Role role = Role.NODE;

  @Parameters(
      index = "1",
      paramLabel = "NAME",
      description = "Name of the holder; for a node its name in the batch system.")
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
