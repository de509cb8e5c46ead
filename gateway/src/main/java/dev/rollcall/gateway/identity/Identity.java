package dev.rollcall.gateway.identity;

import dev.rollcall.model.Endpoint;
import dev.rollcall.model.NodeName;
import dev.rollcall.wire.memory.PeerAccount;
import dev.rollcall.wire.memory.PeerKind;
import java.net.InetAddress;
import java.util.Optional;
import java.util.Set;

/**
 * The identity of a client of this gateway, as whom its calls and streams count. {@code toString}
 * is how messages name it.
 */
public sealed interface Identity extends PeerAccount {
  @Override
  default PeerKind kind() {
    return switch (this) {
      case Stranger _ -> PeerKind.STRANGER;
      case Person _ -> PeerKind.USER;
      case Service _ -> PeerKind.SERVICE;
      // A user's certificate without a role names a node as well as a node's.
      case Node node when node.addresses().isEmpty() -> PeerKind.USER;
      case Node _, Gateway _, Administrator _, Embedded _ -> PeerKind.PROTECTED;
    };
  }

  /**
   * A node, that is root on it.
   *
   * @param addresses for which it may speak
   * @param login whether its root may name the user that asks
   */
  record Node(NodeName name, Set<InetAddress> addresses, boolean login) implements Identity {
    public Node {
      addresses = Set.copyOf(addresses);
    }

    /** A compute node. */
    public Node(NodeName name, Set<InetAddress> addresses) {
      this(name, addresses, false);
    }

    @Override
    public String toString() {
      return "node " + name;
    }
  }

  /** Another gateway of the cluster. */
  record Gateway(String name) implements Identity {
    @Override
    public String toString() {
      return "gateway " + name;
    }
  }

  /**
   * A service of the site, such as a licence server.
   *
   * @param endpoints where it is reached: about connections to these it may ask
   */
  record Service(String name, Set<Endpoint> endpoints) implements Identity {
    public Service {
      endpoints = Set.copyOf(endpoints);
    }

    @Override
    public String toString() {
      return "service " + name;
    }
  }

  record Administrator(String name) implements Identity {
    @Override
    public String toString() {
      return "administrator " + name;
    }
  }

  /** A user who proved to be one. */
  record Person(int uid) implements Identity {
    @Override
    public String toString() {
      return "uid " + Integer.toUnsignedString(uid);
    }
  }

  /**
   * A client of the default address, which is on loopback and has no TLS. It is trusted.
   *
   * @param address host:port, for people
   */
  record Embedded(String address) implements Identity {
    @Override
    public String toString() {
      return "loopback client " + address;
    }
  }

  /**
   * A client without a certificate. Without another proof it may do nothing.
   *
   * @param binding what its connection alone has, if TLS gives that
   */
  record Stranger(String address, Optional<String> binding) implements Identity {
    @Override
    public String toString() {
      return "client " + address + " without a certificate";
    }
  }
}
