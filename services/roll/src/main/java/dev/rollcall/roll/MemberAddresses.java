package dev.rollcall.roll;

import com.hazelcast.cluster.Address;
import com.hazelcast.cluster.Member;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.server.ServerConnection;
import dev.rollcall.port.RollUnavailableException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Decides by address who may connect to a member: the hosts that its configuration names as members
 * and those of the members that have joined. Members connect from the address on which they listen.
 */
final class MemberAddresses {
  private static final Duration NAME_SERVICE = Duration.ofSeconds(1);

  private final Node node;
  private final GridTimeout bounded = new GridTimeout(NAME_SERVICE);
  private Set<InetAddress> named = Set.of();
  private long lookedUpNanos = System.nanoTime() - NAME_SERVICE.toNanos();

  MemberAddresses(Node node) {
    this.node = node;
  }

  /**
   * Looks the names up again for an address that it does not know, because a host may have got
   * another. That takes at most one second, and happens at most once a second.
   */
  synchronized boolean has(InetAddress address) {
    if (named.contains(address) || isOfJoined(address)) {
      return true;
    }
    if (System.nanoTime() - lookedUpNanos >= NAME_SERVICE.toNanos()) {
      try {
        named = bounded.call("look up the members' names", this::lookUp);
      } catch (RollUnavailableException e) {
        // The name service does not answer: those that were found last stay.
      }
      lookedUpNanos = System.nanoTime();
    }
    return named.contains(address);
  }

  /** True when the other end has given the id of a member that has joined, from its address. */
  boolean isMember(ServerConnection connection) {
    @Nullable UUID given = connection.getRemoteUuid();
    @Nullable Member member = given == null ? null : node.getClusterService().getMember(given);
    return member != null && isAt(member.getAddress(), connection.getInetAddress());
  }

  private boolean isOfJoined(InetAddress address) {
    return node.getClusterService().getMembers().stream()
        .anyMatch(member -> !member.localMember() && isAt(member.getAddress(), address));
  }

  /** Without this member itself, which other members on its host may share the address with. */
  private Set<InetAddress> lookUp() {
    List<String> members =
        node.getConfig().getNetworkConfig().getJoin().getTcpIpConfig().getMembers();
    Address self = node.getThisAddress();
    var addresses = new HashSet<InetAddress>();
    for (String member : members) {
      int colon = member.lastIndexOf(':');
      boolean onOwnPort = member.substring(colon + 1).equals(Integer.toString(self.getPort()));
      try {
        for (InetAddress address : InetAddress.getAllByName(member.substring(0, colon))) {
          if (!onOwnPort || !isAt(self, address)) {
            addresses.add(address);
          }
        }
      } catch (UnknownHostException e) {
        // A name that has no address now admits nobody.
      }
    }
    return Set.copyOf(addresses);
  }

  private static boolean isAt(Address member, @Nullable InetAddress address) {
    try {
      return member.getInetAddress().equals(address);
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
