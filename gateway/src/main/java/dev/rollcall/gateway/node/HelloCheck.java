package dev.rollcall.gateway.node;

import dev.rollcall.gateway.identity.Identity;
import dev.rollcall.model.RefusedAddresses;
import dev.rollcall.port.Roll;
import dev.rollcall.proto.roll.v1.Hello;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.NodeMapper;
import io.grpc.Status;
import java.math.BigInteger;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks a stream's Hello against the identity of its peer. Pure.
 *
 * @param gateway host:port under which other gateways know this one
 * @param networks decides about addresses that are not listed for the node
 */
record HelloCheck(String cluster, String version, String gateway, NodeNetworks networks) {
  sealed interface Result {
    /**
     * @param description with the addresses that are accepted
     * @param refused those that are not, e.g. of a bridge that every node has
     */
    record Welcome(Roll.NodeDescription description, RefusedAddresses refused) implements Result {}

    record Refused(Status status) implements Result {}
  }

  private static final Pattern RELEASE = Pattern.compile("(\\d+)\\.(\\d+)(\\D.*)?");

  private static final int LONGEST_NAME = 64;

  static final Comparator<InetAddress> BY_BYTES =
      Comparator.comparing(InetAddress::getAddress, Arrays::compareUnsigned);

  Result of(Hello hello, Identity peer) {
    Roll.NodeDescription description;
    try {
      description = NodeMapper.description(hello, gateway);
    } catch (BadWordException e) {
      return refused(Status.INVALID_ARGUMENT, String.valueOf(e.getMessage()));
    }
    if (!hello.getCluster().equals(cluster)) {
      return refused(
          Status.FAILED_PRECONDITION,
          "cluster '" + hello.getCluster() + "' differs from this gateway's, '" + cluster + "'");
    }
    if (!fits(hello.getVersion())) {
      return refused(
          Status.FAILED_PRECONDITION,
          "agent version '"
              + hello.getVersion()
              + "' is not compatible with gateway version '"
              + version
              + "'");
    }
    return switch (peer) {
      case Identity.Node node -> of(description, node);
      case Identity.Embedded _ -> new Result.Welcome(description, RefusedAddresses.NONE);
      case Identity.Gateway _,
          Identity.Service _,
          Identity.Administrator _,
          Identity.Person _,
          Identity.Stranger _ ->
          refused(Status.PERMISSION_DENIED, peer + " is not a node: only nodes may connect here");
    };
  }

  /** For logs, where the name was not looked at yet. */
  static String shownName(Hello hello) {
    String name = hello.getNode();
    return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME) + "…";
  }

  private static Result refused(Status status, String why) {
    return new Result.Refused(status.withDescription(why));
  }

  /**
   * Releases of one major version fit; before 1.0 those of neighbouring minor versions, so that a
   * cluster can be upgraded node by node. What is unreleased fits all.
   */
  private boolean fits(String other) {
    Matcher mine = RELEASE.matcher(version);
    Matcher theirs = RELEASE.matcher(other);
    if (!mine.matches() || !theirs.matches()) {
      return !other.isBlank();
    }
    var major = new BigInteger(mine.group(1));
    var between = new BigInteger(mine.group(2)).subtract(new BigInteger(theirs.group(2))).abs();
    return major.equals(new BigInteger(theirs.group(1)))
        && (major.signum() > 0 || between.compareTo(BigInteger.ONE) <= 0);
  }

  private Result of(Roll.NodeDescription said, Identity.Node peer) {
    if (!said.epoch().node().equals(peer.name())) {
      return refused(
          Status.PERMISSION_DENIED,
          "the certificate of " + peer + " is not valid for node " + said.epoch().node());
    }
    Set<InetAddress> listed = new HashSet<>(said.addresses());
    listed.retainAll(peer.addresses());
    Set<InetAddress> reported = new HashSet<>();
    List<RefusedAddresses.Refused> refused = new ArrayList<>();
    said.addresses().stream()
        .filter(address -> !listed.contains(address))
        .sorted(BY_BYTES)
        .forEach(address ->
            objection(address, peer, reported.size())
                .ifPresentOrElse(
                    why -> refused.add(new RefusedAddresses.Refused(address, why)),
                    () -> reported.add(address)));
    Set<InetAddress> absent = new HashSet<>(peer.addresses());
    absent.removeAll(listed);
    return new Result.Welcome(
        new Roll.NodeDescription(
            said.epoch(),
            listed,
            said.gateway(),
            said.version(),
            said.callSource(),
            reported,
            absent,
            Optional.empty()),
        RefusedAddresses.of(refused, 0));
  }

  /**
   * Returns why an address is not accepted that a node reports, and that is not listed for it. A
   * certificate without an address may be a user's, so its reports are not trusted.
   *
   * @param accepted how many of its reports are
   */
  private Optional<String> objection(InetAddress address, Identity.Node peer, int accepted) {
    Optional<String> objection = networks.objection(address);
    if (objection.isEmpty() && peer.addresses().isEmpty()) {
      return Optional.of("the certificate and node_file have no address of the node");
    }
    return objection.isEmpty() && accepted >= NodeNetworks.MOST
        ? Optional.of("a node may report " + NodeNetworks.MOST + " addresses")
        : objection;
  }
}
