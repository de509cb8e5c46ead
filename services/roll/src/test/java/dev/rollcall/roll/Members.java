package dev.rollcall.roll;

import com.hazelcast.config.Config;
import dev.rollcall.model.Endpoint;
import dev.rollcall.testkit.process.Await;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Starts members on loopback, on ports the kernel chooses, and ends those that still run. */
final class Members implements AutoCloseable {
  private static final Endpoint ANY_PORT = Endpoint.parse("127.0.0.1:0");

  /** Nobody listens there: it has a member admit others from this host that come later. */
  static final String LATER_ONES = "127.0.0.1:1";

  private final String cluster;
  private final InstantSource clock;
  private final List<Grid> started = new ArrayList<>();

  Members(String cluster, InstantSource clock) {
    this.cluster = cluster + "-" + ProcessHandle.current().pid();
    this.clock = clock;
  }

  /** Joins every member that was started before. */
  Grid start(String gateway) throws IOException {
    var known = new ArrayList<>(List.of(LATER_ONES));
    for (Grid grid : started) {
      known.add(grid.listening().toString());
    }
    Grid grid = start(new GridConfig(cluster, gateway, ANY_PORT, known, false), _ -> {});
    Await.until(
        "every member sees every other",
        () -> started.stream().allMatch(g -> g.members() == started.size()));
    return grid;
  }

  Grid start(GridConfig config, Consumer<Config> more) throws IOException {
    Config member = MemberConfig.of(config);
    member.setProperty("hazelcast.partition.count", "31");
    member.getMapConfig(HazelcastRoll.JOBS).setStatisticsEnabled(true);
    more.accept(member);
    Grid grid = Grid.start(config, member, Optional.of(clock));
    started.add(grid);
    return grid;
  }

  String cluster() {
    return cluster;
  }

  /** As by kill -9: nothing is handed over. */
  void kill(Grid grid) {
    started.remove(grid);
    grid.member().getLifecycleService().terminate();
  }

  @Override
  public void close() {
    started.forEach(grid -> grid.member().getLifecycleService().terminate());
  }
}
