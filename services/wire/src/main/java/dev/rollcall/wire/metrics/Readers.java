package dev.rollcall.wire.metrics;

import dev.rollcall.model.RoleUri;
import dev.rollcall.model.RoleUri.Role;
import dev.rollcall.wire.grpc.Peer;
import dev.rollcall.wire.memory.PeerAccount;
import dev.rollcall.wire.memory.PeerKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Admits administrators and monitors of the cluster to the metrics, by the role in their
 * certificates. A node's certificate is on a machine whose users may have taken it.
 *
 * @param commonNames of certificates without a role that may
 */
public record Readers(String cluster, Set<String> commonNames) {
  private static final Set<Role> ROLES = Set.of(Role.ADMINISTRATOR, Role.MONITOR);

  public Readers {
    commonNames = Set.copyOf(commonNames);
  }

  /** Returns the reason of a refusal. Clients of a unix socket or of loopback are permitted. */
  Optional<String> objection(Peer peer) {
    return switch (peer) {
      case Peer.Local _, Peer.Anonymous _ -> Optional.empty();
      case Peer.Uncertified _ -> Optional.of("metrics need a client certificate");
      case Peer.Certified certified -> objection(certified);
    };
  }

  /** A holder of a certificate whom the metrics are not for; root of a node may have several. */
  private record NoReader(PeerAccount holder) implements PeerAccount {
    @Override
    public PeerKind kind() {
      return PeerKind.STRANGER;
    }
  }

  /** As whom the memory of a peer counts: those whom the metrics are not for are strangers. */
  PeerAccount account(Peer peer) {
    return objection(peer).isEmpty() || peer instanceof Peer.Uncertified
        ? peer.account()
        : new NoReader(peer.account());
  }

  private Optional<String> objection(Peer.Certified peer) {
    List<RoleUri> roles = new ArrayList<>();
    try {
      peer.uris().forEach(uri -> RoleUri.parse(uri).ifPresent(roles::add));
    } catch (IllegalArgumentException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
    boolean may =
        roles.isEmpty()
            ? commonNames.contains(peer.commonName())
            : roles.stream().allMatch(this::may);
    return may
        ? Optional.empty()
        : Optional.of(
            "metrics are for administrators and monitors of cluster '%s', and not for '%s'"
                .formatted(cluster, peer.commonName()));
  }

  private boolean may(RoleUri role) {
    return role.cluster().equals(cluster) && ROLES.contains(role.role());
  }
}
