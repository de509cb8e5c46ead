package dev.rollcall.wire.grpc;

import static java.util.Objects.requireNonNull;

import dev.rollcall.model.RoleUri;
import dev.rollcall.model.RoleUri.Role;
import dev.rollcall.wire.grpc.limit.UidOwners;
import dev.rollcall.wire.grpc.limit.UnauthenticatedConnectionLimit;
import dev.rollcall.wire.memory.PeerAccount;
import dev.rollcall.wire.memory.PeerKind;
import io.grpc.Context;
import java.net.InetAddress;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The peer of a call's connection, by the kernel or TLS. */
public sealed interface Peer {
  /** Set while a service's code runs for a call. */
  Context.Key<Peer> KEY = Context.key("rollcall-peer");

  /**
   * A process of this machine, on a unix socket. The pid may since have ended and be another's.
   *
   * @param gid the primary group alone
   */
  record Local(int pid, int uid, int gid) implements Peer {
    @Override
    public PeerAccount account() {
      return new User(UidOwners.ofHost().of(uid));
    }
  }

  /**
   * The holder of a certificate of the CA.
   *
   * @param commonName of the subject, empty if it has none
   * @param addresses the IP addresses among the subject's alternative names
   * @param uris the URIs among them, as they are written there
   * @param ends when the certificate expires
   */
  record Certified(String commonName, Set<InetAddress> addresses, Set<String> uris, Instant ends)
      implements Peer {
    public Certified {
      requireNonNull(commonName, "commonName");
      addresses = Set.copyOf(addresses);
      uris = Set.copyOf(uris);
    }

    @Override
    public PeerAccount account() {
      return new Certificate(commonName, uris);
    }
  }

  /**
   * A client of a TLS port without a certificate.
   *
   * @param address host:port, for people
   * @param binding what this connection alone has, in hex; absent if TLS gives none
   * @param recognised of a call: from now on it counts for this account, and so does the
   *     connection, which may stay; until then it is closed after a while, or for a newer one of
   *     the same address. False if the account has no room for what the call holds
   */
  record Uncertified(String address, Optional<String> binding, Predicate<PeerAccount> recognised)
      implements Peer {
    @Override
    public PeerAccount account() {
      return Address.of(address);
    }
  }

  /**
   * A client of a TCP port without TLS, which only the default address on loopback offers.
   *
   * @param address host:port, for people
   */
  record Anonymous(String address) implements Peer {
    @Override
    public PeerAccount account() {
      return new Loopback();
    }
  }

  /**
   * A user of this machine, with their subordinate uids, as whose a {@link
   * dev.rollcall.wire.memory.MemoryBudget} counts.
   */
  record User(int uid) implements PeerAccount {
    @Override
    public PeerKind kind() {
      return uid == 0 ? PeerKind.PROTECTED : PeerKind.USER;
    }

    @Override
    public String toString() {
      return "uid " + Integer.toUnsignedString(uid);
    }
  }

  /** A user of this machine whom the site admits by name, as it does a service. */
  record ListedUser(int uid) implements PeerAccount {
    @Override
    public PeerKind kind() {
      return PeerKind.SERVICE;
    }

    @Override
    public String toString() {
      return "uid " + Integer.toUnsignedString(uid);
    }
  }

  /**
   * The holder of a certificate, also over several certificates. Without a role it is a user:
   * authorities of sites sign certificates of many parties.
   */
  record Certificate(String commonName, Set<String> uris) implements PeerAccount {
    @Override
    public PeerKind kind() {
      PeerKind least = PeerKind.USER;
      for (String uri : uris) {
        try {
          Optional<Role> role = RoleUri.parse(uri).map(RoleUri::role);
          if (role.filter(Certificate::isOfAProgram).isPresent()) {
            return PeerKind.SERVICE;
          }
          least = role.isPresent() ? PeerKind.PROTECTED : least;
        } catch (IllegalArgumentException e) {
          return PeerKind.USER; // no server accepts such a certificate
        }
      }
      return least;
    }

    private static boolean isOfAProgram(Role role) {
      return switch (role) {
        case SERVICE, MONITOR -> true;
        case NODE, LOGIN, GATEWAY, ADMINISTRATOR -> false;
      };
    }

    @Override
    public String toString() {
      return "'" + commonName + "'";
    }
  }

  /** All clients of a plaintext port, which is on loopback. */
  record Loopback() implements PeerAccount {
    @Override
    public PeerKind kind() {
      return PeerKind.USER;
    }
  }

  /** A machine: an address of IPv4, or a /64 of IPv6, whose addresses may all be of one host. */
  record Address(InetAddress network) implements PeerAccount {
    static Address of(String hostAndPort) {
      String host = hostAndPort.substring(0, Math.max(hostAndPort.lastIndexOf(':'), 0));
      return new Address(
          UnauthenticatedConnectionLimit.network(
              InetAddress.ofLiteral(host.replaceAll("[\\[\\]]|%.*", ""))));
    }

    @Override
    public PeerKind kind() {
      return PeerKind.STRANGER;
    }

    @Override
    public String toString() {
      return network.getHostAddress();
    }
  }

  /**
   * Returns the account for the memory of the peer's connections, requests and answers, over all
   * connections: the user, the certificate, else the address without its port.
   */
  PeerAccount account();

  /**
   * Returns the kind of the peer, as far as its connection shows it. A call on it may prove
   * another.
   */
  default PeerKind kind() {
    return account().kind();
  }

  /** The peer of the call for which this code runs. */
  static Peer current() {
    return requireNonNull(KEY.get(), "no call is being served here");
  }
}
