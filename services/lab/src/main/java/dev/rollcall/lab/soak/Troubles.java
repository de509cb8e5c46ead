package dev.rollcall.lab.soak;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.Daemon;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.fault.ClockStep;
import dev.rollcall.lab.fault.FailingCalls;
import dev.rollcall.lab.fault.FullDisk;
import dev.rollcall.lab.fault.Hung;
import dev.rollcall.lab.fault.InjectedFault;
import dev.rollcall.lab.fault.Killed;
import dev.rollcall.lab.fault.Packets;
import dev.rollcall.lab.fault.Reboot;
import dev.rollcall.lab.fault.SlowCard;
import dev.rollcall.lab.soak.Planned.Trouble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Makes the faults of a plan, and knows which of them explain what is seen. */
final class Troubles {
  /** How long a fault explains what happens after it: streams and retransmissions come back. */
  private static final long AFTERMATH_MS = 20_000;

  private static final int LOST_OF_100 = 20;
  private static final int SLOW_KILOBITS = 256;

  private record Past(Trouble trouble, long began, long ended) {}

  private final TestCluster cluster;
  private final JobBook book;
  private final Clockwork clock;
  private final List<Past> past = new ArrayList<>();
  private final List<Past> present = new ArrayList<>();

  Troubles(TestCluster cluster, JobBook book, Clockwork clock) {
    this.cluster = cluster;
    this.book = book;
    this.clock = clock;
  }

  /** From its beginning until its end by the plan; fails if what was hit does not come back. */
  void run(Trouble trouble) {
    var now = new Past(trouble, clock.millis(), Long.MAX_VALUE);
    synchronized (this) {
      present.add(now);
    }
    try (var _ = begin(trouble)) {
      clock.await(trouble.ends());
    } finally {
      synchronized (this) {
        present.remove(now);
        past.add(new Past(trouble, now.began, clock.millis()));
      }
    }
  }

  private InjectedFault begin(Trouble trouble) {
    ClusterNode node = cluster.node(trouble.target());
    Daemon daemon = cluster.daemon(trouble.target());
    return switch (trouble.kind()) {
      case AGENT_KILLED, GATEWAY_KILLED -> Killed.of(daemon);
      case AGENT_HUNG, GATEWAY_HUNG -> Hung.of(daemon);
      case AGENT_RESTARTED, GATEWAY_RESTARTED -> restarted(daemon);
      case NODE_CUT_OFF -> Packets.allOf(node);
      case NODE_LOSES_PACKETS -> Packets.someOf(node, LOST_OF_100);
      case NODE_IS_SLOW -> SlowCard.of(node, SLOW_KILOBITS);
      case NODE_DISK_FULL -> FullDisk.of(node);
      case NODE_FSYNC_FAILS -> FailingCalls.of(daemon, "fsync,fdatasync", "EIO");
      case NODE_CLOCK_STEPS, GATEWAY_CLOCK_STEPS ->
          ClockStep.of(cluster, node, Duration.ofHours(trouble.at().toMillis() % 2 == 0 ? 1 : -1));
      case NODE_REBOOTS -> {
        book.goesDown(trouble.target(), clock.millis());
        yield Reboot.of(cluster, node);
      }
      case GATEWAYS_SPLIT -> Packets.betweenMembers(List.of(node), others(cluster.gates(), node));
      case NODES_PARTED -> {
        List<ClusterNode> others = others(cluster.compute(), node);
        yield Packets.between(List.of(node), others.subList(0, (others.size() + 1) / 2));
      }
    };
  }

  private static InjectedFault restarted(Daemon daemon) {
    daemon.stop();
    daemon.start();
    return daemon::awaitReady;
  }

  private static List<ClusterNode> others(List<ClusterNode> all, ClusterNode one) {
    return all.stream().filter(node -> !node.address().equals(one.address())).toList();
  }

  /** Whether a fault of a node, or what came after it, was there at some moment. */
  synchronized boolean touched(NodeAddress node, long from, long to) {
    var all = new ArrayList<>(past);
    all.addAll(present);
    return all.stream()
        .filter(one -> one.trouble.target().equals(node))
        .anyMatch(one -> one.began <= to && (one.ended > from || from - one.ended < AFTERMATH_MS));
  }

  /** Whether a fault that ends the agent or gateway of a node was there at some moment. */
  synchronized boolean endedProcess(NodeAddress node, long from, long to) {
    return Stream.concat(past.stream(), present.stream())
        .filter(one -> one.trouble.kind().endsProcess() && one.trouble.target().equals(node))
        .anyMatch(one -> one.began <= to && one.ended >= from);
  }

  /** What is wrong now, for people. */
  synchronized String now() {
    return String.join(
        ", ",
        present.stream()
            .map(one -> one.trouble.kind() + " " + one.trouble.target().name())
            .toList());
  }
}
