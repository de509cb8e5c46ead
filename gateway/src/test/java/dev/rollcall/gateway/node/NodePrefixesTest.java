package dev.rollcall.gateway.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.model.ClusterPrefixes;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.Prefix;
import dev.rollcall.port.Roll;
import dev.rollcall.testkit.roll.InMemoryRoll;
import dev.rollcall.testkit.roll.SettableClock;
import dev.rollcall.wire.PrefixMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NodePrefixesTest {
  private final InMemoryRoll roll = new InMemoryRoll(new SettableClock());
  private long nanos;
  private final NodePrefixes prefixes =
      new NodePrefixes(roll, () -> nanos, new SimpleMeterRegistry());

  private void connect(String node, Stream<String> addresses) {
    var description =
        new Roll.NodeDescription(
            new NodeEpoch(new NodeName(node), "boot", 1),
            addresses.map(InetAddress::ofLiteral).collect(Collectors.toSet()),
            "gate:7450",
            "0.1.0",
            "sock_ops");
    roll.connect(description, Duration.ofMinutes(1));
  }

  private void tick(int seconds) {
    for (int i = 0; i < seconds; i++) {
      nanos += Duration.ofSeconds(1).toNanos();
      prefixes.tick();
    }
  }

  private Set<Prefix> current() {
    return PrefixMapper.toModel(prefixes.current(), "prefixes").all();
  }

  /** As after all gateways started anew. */
  @Test
  void theNetworkOfEachNodeFollowsAtTheNextTick() {
    for (int i = 1; i < 20; i++) {
      connect("node" + i, Stream.of("10.0." + i + ".1"));
      tick(1);
      assertEquals(i, current().size());
    }
  }

  @Test
  void aNodeIsSentAtMostSoManyPrefixesInTenSeconds() {
    connect(
        "node1",
        IntStream.range(0, ClusterPrefixes.MOST - 1)
            .mapToObj(i -> "10.%d.%d.1".formatted(i / 256, i % 256)));
    tick(1);
    var many = prefixes.current();
    assertEquals(ClusterPrefixes.MOST - 1, many.getPrefixesCount());
    connect("node2", Stream.of("10.99.0.1"));
    tick(9);
    assertEquals(many, prefixes.current());
    tick(1);
    assertEquals(ClusterPrefixes.MOST, prefixes.current().getPrefixesCount());
  }
}
