package dev.rollcall.gateway.node;

import dev.rollcall.gateway.stream.ConnectedNodes;
import dev.rollcall.port.Roll;
import dev.rollcall.proto.roll.v1.ClusterPrefixes;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.wire.PrefixMapper;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Sends the prefixes of all nodes' addresses to the nodes of this gateway, so that they push
 * callers to them. Changes are sent once in ten seconds at most: nodes come and go slowly, but may
 * all start at once.
 */
final class NodePrefixes {
  static final Duration BETWEEN = Duration.ofSeconds(10);

  private static final System.Logger LOG = System.getLogger(NodePrefixes.class.getName());

  private final Roll roll;
  private final ConnectedNodes nodes;
  private final LongSupplier nanoClock;
  private Set<InetAddress> addresses = Set.of();
  private volatile ClusterPrefixes message = ClusterPrefixes.getDefaultInstance();
  private boolean widened;
  private long mayChangeAt;

  NodePrefixes(Roll roll, ConnectedNodes nodes, LongSupplier nanoClock, MeterRegistry registry) {
    this.roll = roll;
    this.nodes = nodes;
    this.nanoClock = nanoClock;
    this.mayChangeAt = nanoClock.getAsLong();
    registry.gauge("rollcall.gateway.prefixes", this, it -> it.message.getPrefixesCount());
  }

  /** For a node that connects. */
  ClusterPrefixes current() {
    return message;
  }

  /** For a node that was among those of this gateway only after it was sent these. */
  Optional<ConnectResponse> changedSince(ClusterPrefixes sent) {
    ClusterPrefixes now = message;
    return now.equals(sent) ? Optional.empty() : Optional.of(order(now));
  }

  private static ConnectResponse order(ClusterPrefixes prefixes) {
    return ConnectResponse.newBuilder().setClusterPrefixes(prefixes).build();
  }

  /** Looks for new addresses. Called every second, on one thread; does not block. */
  void tick() {
    long now = nanoClock.getAsLong();
    if (now - mayChangeAt < 0) {
      return;
    }
    Set<InetAddress> known = roll.addresses();
    if (known.equals(addresses)) {
      return;
    }
    addresses = known;
    var covering = dev.rollcall.model.ClusterPrefixes.covering(known);
    ClusterPrefixes next = PrefixMapper.toProto(covering);
    if (!next.equals(message)) {
      mayChangeAt = now + BETWEEN.toNanos();
      message = next;
      ConnectResponse order = order(next);
      nodes.all().forEach(node -> node.orders().send(order));
      logIfWidened(covering);
    }
  }

  private void logIfWidened(dev.rollcall.model.ClusterPrefixes covering) {
    if (covering.isWidened() && !widened) {
      LOG.log(
          Level.WARNING,
          "the {0} addresses of nodes are in more than {1} networks: callers are pushed to {2} wider"
              + " ones",
          addresses.size(),
          dev.rollcall.model.ClusterPrefixes.MOST,
          covering.all().size());
    }
    widened = covering.isWidened();
  }
}
