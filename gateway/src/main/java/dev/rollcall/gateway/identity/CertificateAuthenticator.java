package dev.rollcall.gateway.identity;

import dev.rollcall.gateway.identity.AuthenticationResult.Known;
import dev.rollcall.gateway.identity.AuthenticationResult.Refused;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.RoleUri;
import dev.rollcall.wire.grpc.Peer;
import dev.rollcall.wire.memory.PeerAccount;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Authenticates peers by their certificates. The role is the certificate's {@link RoleUri}; one of
 * another cluster is refused, and so is a certificate with two roles. A certificate without a role
 * is what the site's configuration says of its common name, else the node of that name.
 *
 * @param nodes whose addresses count beside those of the certificates
 */
public record CertificateAuthenticator(
    String cluster, NamedCertificates named, Optional<NodeFile> nodes) {
  public AuthenticationResult of(Peer peer) {
    return switch (peer) {
      case Peer.Certified certified -> certified(certified);
      case Peer.Uncertified(String address, var binding, _) ->
          new Known(new Identity.Stranger(address, binding));
      case Peer.Anonymous(String address) -> new Known(new Identity.Embedded(address));
      case Peer.Local local -> new Known(new Identity.Embedded(local.toString()));
    };
  }

  /**
   * As whom the memory of a peer's connection counts. What the site's configuration says of a
   * certificate without a role counts, too.
   */
  public PeerAccount account(Peer peer) {
    return peer instanceof Peer.Certified certified
            && certified.uris().stream().noneMatch(CertificateAuthenticator::isRole)
            && byCommonName(certified) instanceof Known(Identity identity, _)
        ? identity
        : peer.account();
  }

  private static boolean isRole(String uri) {
    try {
      return RoleUri.parse(uri).isPresent();
    } catch (IllegalArgumentException e) {
      return true;
    }
  }

  private AuthenticationResult certified(Peer.Certified peer) {
    List<RoleUri> roles = new ArrayList<>();
    for (String uri : peer.uris()) {
      try {
        RoleUri.parse(uri).ifPresent(roles::add);
      } catch (IllegalArgumentException e) {
        return refused(peer, String.valueOf(e.getMessage()));
      }
    }
    if (roles.isEmpty()) {
      return byCommonName(peer);
    }
    RoleUri first = roles.getFirst();
    Optional<String> problem = problem(first, roles);
    return problem.isPresent() ? refused(peer, problem.get()) : byRole(peer, first, roles);
  }

  private Optional<String> problem(RoleUri first, List<RoleUri> roles) {
    for (RoleUri role : roles) {
      if (!role.cluster().equals(cluster)) {
        return Optional.of(
            "it is for cluster '%s', but this gateway is in '%s'"
                .formatted(role.cluster(), cluster));
      }
      if (role.role() != first.role() || !role.name().equals(first.name())) {
        return Optional.of("it has more than one role");
      }
    }
    return Optional.empty();
  }

  private Identity.Node node(String name, Peer.Certified peer, boolean login) {
    var node = new NodeName(name);
    Set<InetAddress> addresses = new HashSet<>(peer.addresses());
    nodes.ifPresent(file -> addresses.addAll(file.of(node)));
    return new Identity.Node(node, addresses, login);
  }

  private AuthenticationResult byRole(Peer.Certified peer, RoleUri first, List<RoleUri> roles) {
    return switch (first.role()) {
      case NODE -> new Known(node(first.name(), peer, false));
      case LOGIN -> new Known(node(first.name(), peer, true));
      case GATEWAY -> new Known(new Identity.Gateway(first.name()));
      case ADMINISTRATOR -> new Known(new Identity.Administrator(first.name()));
      case SERVICE -> new Known(new Identity.Service(first.name(), endpoints(peer, roles)));
      case MONITOR -> refused(peer, "a monitor reads only metrics");
    };
  }

  /** Every address with every port. */
  private static Set<Endpoint> endpoints(Peer.Certified peer, List<RoleUri> roles) {
    Set<Endpoint> endpoints = new HashSet<>();
    for (RoleUri role : roles) {
      peer.addresses()
          .forEach(address -> endpoints.add(new Endpoint(address, role.port().orElseThrow())));
    }
    return endpoints;
  }

  private AuthenticationResult byCommonName(Peer.Certified peer) {
    String name = peer.commonName();
    Set<Endpoint> endpoints = named.services().get(name);
    if (named.administrators().contains(name)) {
      return new Known(new Identity.Administrator(name));
    }
    if (endpoints != null) {
      return new Known(new Identity.Service(name, endpoints));
    }
    try {
      return new Known(node(name, peer, named.isLoginNode(name)));
    } catch (IllegalArgumentException e) {
      return refused(peer, "it names no role, and its common name is not a node");
    }
  }

  private static Refused refused(Peer.Certified peer, String why) {
    return new Refused("the certificate of '" + peer.commonName() + "' is refused: " + why);
  }
}
