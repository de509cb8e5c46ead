package dev.rollcall.gateway.node;

import static dev.rollcall.model.ClusterPrefixes.MOST;

import dev.rollcall.port.Roll;
import dev.rollcall.proto.roll.v1.ClusterPrefixes;
import dev.rollcall.wire.PrefixMapper;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Covers the addresses of all nodes by prefixes, to which the nodes of this gateway push callers. A
 * node is sent at most 4,096 of them in ten seconds, however often they change: all nodes may start
 * at once. So a list of few follows each change within two seconds.
 */
final class NodePrefixes {
  /** After a list of the most prefixes. */
  static final Duration PAUSE = Duration.ofSeconds(10);

  private static final System.Logger LOG = System.getLogger(NodePrefixes.class.getName());

  private final Roll roll;
  private final LongSupplier nanoClock;
  private Set<InetAddress> addresses = Set.of();
  private volatile ClusterPrefixes message = ClusterPrefixes.getDefaultInstance();
  private boolean widened;
  private long mayChangeAt;

  NodePrefixes(Roll roll, LongSupplier nanoClock, MeterRegistry registry) {
    this.roll = roll;
    this.nanoClock = nanoClock;
    this.mayChangeAt = nanoClock.getAsLong();
    registry.gauge("rollcall.gateway.prefixes", this, it -> it.message.getPrefixesCount());
  }

  /** Returns what each node is sent; the same object until that changes. From any thread. */
  ClusterPrefixes current() {
    return message;
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
      mayChangeAt = now + PAUSE.toNanos() / MOST * next.getPrefixesCount();
      message = next;
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
          MOST,
          covering.all().size());
    }
    widened = covering.isWidened();
  }
}
