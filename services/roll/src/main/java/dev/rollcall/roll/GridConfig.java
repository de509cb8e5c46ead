package dev.rollcall.roll;

import static java.util.Objects.requireNonNull;

import dev.rollcall.model.Endpoint;
import java.util.List;

/**
 * The configuration of a gateway's Hazelcast member.
 *
 * @param cluster members of another cluster are not let in; it is no secret
 * @param gateway this gateway's id: the host:port under which others know it, unique in the cluster
 * @param listen where the member listens; port 0: any. The grid has neither encryption nor
 *     authentication, so only loopback and private addresses are taken
 * @param members host:port of the members' listeners, this one may be among them; others are not
 *     admitted; empty: single
 * @param publicListen true: listen on any address and admit every peer, because the site protects
 *     the port by other means
 */
public record GridConfig(
    String cluster, String gateway, Endpoint listen, List<String> members, boolean publicListen) {
  public GridConfig {
    requireNonNull(listen, "listen");
    members = List.copyOf(members);
    if (cluster.isBlank()) {
      throw new IllegalArgumentException("cluster is empty");
    }
    if (gateway.isBlank()) {
      throw new IllegalArgumentException("gateway is empty");
    }
    members.forEach(GridConfig::checkMember);
    if (listen.address().isAnyLocalAddress()) {
      throw new IllegalArgumentException(
          "member_listen " + listen + ": name one address, not every one");
    }
    if (!publicListen && !Addresses.isPrivate(listen.address())) {
      throw new IllegalArgumentException(
          "member_listen "
              + listen
              + " is neither loopback nor private: everyone who reaches the port can read and write"
              + " the roll");
    }
  }

  private static void checkMember(String member) {
    if (!member.matches("\\S+:[0-9]{1,5}")
        || Integer.parseInt(member.substring(member.lastIndexOf(':') + 1)) > 0xffff) {
      throw new IllegalArgumentException("member '" + member + "' is not HOST:PORT");
    }
  }
}
