package dev.rollcall.roll;

import com.hazelcast.cluster.Address;
import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.MembershipAdapter;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import com.hazelcast.instance.impl.HazelcastInstanceFactory;
import com.hazelcast.map.listener.MapPartitionLostListener;
import dev.rollcall.model.Endpoint;
import dev.rollcall.port.GatewayMail;
import dev.rollcall.port.Roll;
import dev.rollcall.port.RollUnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A gateway's Hazelcast member, with the roll and the messages between gateways. */
public final class Grid implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Grid.class.getName());

  // Held here, because java.util.logging keeps only weak references to loggers.
  private static final Logger HAZELCAST_LOG = Logger.getLogger("com.hazelcast");

  /** Partitions that are lost within this time of the first are lost together. */
  private static final Duration LOSS = Duration.ofSeconds(1);

  /** A key that no entry has. */
  private static final String ASKED = "-";

  private final AtomicBoolean losing = new AtomicBoolean();
  private final HazelcastInstance member;
  private final HazelcastRoll roll;
  private final HazelcastMail mail;

  private Grid(
      HazelcastInstance member,
      String gateway,
      InstantSource clock,
      InstantSource wall,
      LongSupplier nanoClock) {
    this.member = member;
    this.roll = new HazelcastRoll(member, clock, wall, nanoClock);
    this.mail = new HazelcastMail(member, gateway);
    member.getCluster().addMembershipListener(new Departures());
    // One event for each partition of which no copy is left.
    member
        .getMap(HazelcastRoll.JOBS)
        .addPartitionLostListener((MapPartitionLostListener) _ -> partitionLost());
    member
        .getLifecycleService()
        .addLifecycleListener(event -> {
          if (event.getState() == LifecycleState.MERGED) {
            Thread.startVirtualThread(this::merged);
          }
        });
  }

  /**
   * Starts the member and joins those that are up; with none, it is the first. Takes one to a few
   * seconds. Time is the cluster's, which follows the oldest member's clock.
   *
   * @throws IOException naming the address, when it cannot listen there or the id is taken
   */
  public static Grid start(GridConfig config) throws IOException {
    return start(config, MemberConfig.of(config), Optional.empty());
  }

  static Grid start(GridConfig config, Config member, Optional<InstantSource> clock)
      throws IOException {
    if (HAZELCAST_LOG.getLevel() == null) {
      HAZELCAST_LOG.setLevel(Level.WARNING);
    }
    HazelcastInstance started = started(config, member);
    Optional<Member> twin =
        started.getCluster().getMembers().stream()
            .filter(m -> !m.localMember() && HazelcastMail.gatewayOf(m).equals(config.gateway()))
            .findFirst();
    if (twin.isPresent()) {
      started.getLifecycleService().terminate();
      throw new IOException(
          "gateway " + config.gateway() + " is up already, at " + twin.get().getAddress());
    }
    LOG.log(
        System.Logger.Level.INFO,
        "Hazelcast: cluster {0}, listening on {1}, {2} members",
        config.cluster(),
        started.getCluster().getLocalMember().getAddress(),
        started.getCluster().getMembers().size());
    // A clock that is given is a test's: leases then end by that.
    LongSupplier nanoClock =
        clock.<LongSupplier>map(one -> () -> one.millis() * 1_000_000).orElse(System::nanoTime);
    return new Grid(
        started,
        config.gateway(),
        clock.orElse(clusterClock(started)),
        clock.orElse(InstantSource.system()),
        nanoClock);
  }

  private static HazelcastInstance started(GridConfig config, Config member) throws IOException {
    try {
      return HazelcastInstanceFactory.newHazelcastInstance(
          member, member.getInstanceName(), new MemberPort(config.publicListen()));
    } catch (HazelcastException | IllegalStateException e) {
      throw new IOException(
          "the Hazelcast member cannot start on " + config.listen() + ": " + e.getMessage(), e);
    }
  }

  private static InstantSource clusterClock(HazelcastInstance member) {
    return () -> Instant.ofEpochMilli(member.getCluster().getClusterTime());
  }

  public Roll roll() {
    return roll;
  }

  public GatewayMail mail() {
    return mail;
  }

  /** Where the member listens, with the port it got. */
  public Endpoint listening() throws IOException {
    Address address = member.getCluster().getLocalMember().getAddress();
    return new Endpoint(address.getInetAddress(), address.getPort());
  }

  /** How many members there are, this one too. */
  public int members() {
    return member.getCluster().getMembers().size();
  }

  /**
   * Returns when the cluster of gateways has answered a small question.
   *
   * @throws RuntimeException if it did not
   */
  public void ask() {
    var _ = member.getMap(HazelcastRoll.JOBS).containsKey(ASKED);
  }

  HazelcastInstance member() {
    return member;
  }

  /** Hands what it holds to the others, at most 10 s, and leaves. */
  @Override
  public void close() {
    mail.close();
    roll.close();
    member.shutdown();
  }

  void merged() {
    LOG.log(System.Logger.Level.WARNING, "Hazelcast: a split has ended, this part was merged");
    mail.nodesConnectAgain("the cluster of gateways was merged");
    rebuild("the split");
  }

  private void partitionLost() {
    if (losing.compareAndSet(false, true)) {
      CompletableFuture.delayedExecutor(
              LOSS.toMillis(), TimeUnit.MILLISECONDS, Thread::startVirtualThread)
          .execute(this::entriesLost);
    }
  }

  private void entriesLost() {
    losing.set(false);
    LOG.log(System.Logger.Level.WARNING, "grid: entries were lost with the gateways that left");
    mail.nodesConnectAgain("entries were lost with gateways of the cluster");
    rebuild("the loss of entries");
  }

  /** After a failure the next periodic check reads the entries again. */
  private void rebuild(String after) {
    try {
      roll.rebuild();
    } catch (RollUnavailableException e) {
      LOG.log(System.Logger.Level.WARNING, "grid: after {0}: {1}", after, e.getMessage());
    }
  }

  private final class Departures extends MembershipAdapter {
    @Override
    public void memberRemoved(MembershipEvent event) {
      String gateway = HazelcastMail.gatewayOf(event.getMember());
      LOG.log(System.Logger.Level.WARNING, "grid: gateway {0} left", gateway);
      Thread.startVirtualThread(() -> {
        mail.left(gateway);
        rebuild(gateway + " left");
      });
    }
  }
}
