package dev.rollcall.gateway.attend;

import dev.rollcall.port.Roll;
import dev.rollcall.proto.roll.v1.Hello;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.NodeWords;
import dev.rollcall.wire.grpc.Peer;
import io.grpc.Status;
import java.net.InetAddress;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether a stream's first words are true as far as its peer's certificate can tell. Pure. */
final class HelloCheck {
  sealed interface Result {
    record Welcome(Roll.Attendance attendance) implements Result {}

    record Refused(Status status) implements Result {}
  }

  private static final Pattern RELEASE = Pattern.compile("(\\d+)\\.(\\d+)(\\D.*)?");

  private final String cluster;
  private final String version;
  private final String gateway;

  /**
   * @param gateway host:port under which other gateways know this one
   */
  HelloCheck(String cluster, String version, String gateway) {
    this.cluster = cluster;
    this.version = version;
    this.gateway = gateway;
  }

  Result of(Hello hello, Peer peer) {
    Roll.Attendance attendance;
    try {
      attendance = NodeWords.attendance(hello, gateway);
    } catch (BadWordException e) {
      return refused(Status.INVALID_ARGUMENT, String.valueOf(e.getMessage()));
    }
    if (!hello.getCluster().equals(cluster)) {
      return refused(
          Status.FAILED_PRECONDITION,
          "cluster '" + hello.getCluster() + "' is not this gateway's, '" + cluster + "'");
    }
    if (!fits(hello.getVersion())) {
      return refused(
          Status.FAILED_PRECONDITION,
          "agent version '"
              + hello.getVersion()
              + "' does not speak with gateway version '"
              + version
              + "'");
    }
    Optional<String> lie = lie(attendance, peer);
    return lie.isPresent()
        ? refused(Status.PERMISSION_DENIED, lie.get())
        : new Result.Welcome(attendance);
  }

  private static Result refused(Status status, String why) {
    return new Result.Refused(status.withDescription(why));
  }

  /** Releases of one major version fit; before 1.0 of one minor. What is unreleased fits all. */
  private boolean fits(String other) {
    Matcher mine = RELEASE.matcher(version);
    Matcher theirs = RELEASE.matcher(other);
    if (!mine.matches() || !theirs.matches()) {
      return !other.isBlank();
    }
    return mine.group(1).equals(theirs.group(1))
        && (!mine.group(1).equals("0") || mine.group(2).equals(theirs.group(2)));
  }

  private static Optional<String> lie(Roll.Attendance said, Peer peer) {
    if (!(peer instanceof Peer.Certified certified)) {
      return Optional.empty(); // without TLS there is only loopback
    }
    String node = said.epoch().node().text();
    if (!certified.commonName().equals(node)) {
      return Optional.of(
          "the certificate of '" + certified.commonName() + "' does not speak for node " + node);
    }
    return said.addresses().stream()
        .filter(address -> !certified.addresses().contains(address))
        .map(InetAddress::getHostAddress)
        .sorted()
        .findFirst()
        .map(address -> "address " + address + " is not in the certificate of node " + node);
  }
}
