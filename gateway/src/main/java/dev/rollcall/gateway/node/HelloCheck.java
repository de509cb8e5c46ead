package dev.rollcall.gateway.node;

import dev.rollcall.gateway.identity.Identity;
import dev.rollcall.model.AddressText;
import dev.rollcall.port.Roll;
import dev.rollcall.proto.roll.v1.Hello;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.NodeMapper;
import io.grpc.Status;
import java.math.BigInteger;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks a stream's Hello against the identity of its peer. Pure.
 *
 * @param gateway host:port under which other gateways know this one
 */
record HelloCheck(String cluster, String version, String gateway) {
  sealed interface Result {
    /**
     * @param description with the addresses that the certificate speaks for
     * @param ignored those it does not, e.g. of a bridge that every node has
     */
    record Welcome(Roll.NodeDescription description, Set<InetAddress> ignored) implements Result {
      /** The first of those that are ignored; there has to be one. */
      String firstIgnored() {
        return firstOfIgnored().findFirst().orElseThrow();
      }

      private Stream<String> firstOfIgnored() {
        return ignored.stream().map(AddressText::of).sorted().limit(SHOWN);
      }

      /** How many addresses are ignored, and the first of them, for a log. */
      String ignoredText() {
        return ignored.size()
            + " addresses that are not in its certificate are ignored: "
            + firstOfIgnored().collect(Collectors.joining(", "))
            + (ignored.size() > SHOWN ? ", …" : "");
      }
    }

    record Refused(Status status) implements Result {}
  }

  private static final Pattern RELEASE = Pattern.compile("(\\d+)\\.(\\d+)(\\D.*)?");

  private static final int LONGEST_NAME = 64;

  /** Ignored addresses that a line of the log names. */
  private static final int SHOWN = 8;

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
      case Identity.Embedded _ -> new Result.Welcome(description, Set.of());
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

  private static Result of(Roll.NodeDescription said, Identity.Node peer) {
    if (!said.epoch().node().equals(peer.name())) {
      return refused(
          Status.PERMISSION_DENIED,
          "the certificate of " + peer + " is not valid for node " + said.epoch().node());
    }
    var own = new HashSet<>(said.addresses());
    own.retainAll(peer.addresses());
    var ignored = new HashSet<>(said.addresses());
    ignored.removeAll(own);
    return new Result.Welcome(
        new Roll.NodeDescription(
            said.epoch(), own, said.gateway(), said.version(), said.callSource()),
        ignored);
  }
}
