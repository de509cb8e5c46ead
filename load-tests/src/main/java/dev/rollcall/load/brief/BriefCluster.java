package dev.rollcall.load.brief;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.ClusterSetup;
import dev.rollcall.lab.cluster.ClusterShape;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.bench.CProgram;
import dev.rollcall.load.gateway.ProcessCost;
import dev.rollcall.load.gateway.Scratch;
import dev.rollcall.testkit.process.Running;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A cluster of two nodes; commands run on the second one, as root, by a small program in C. */
final class BriefCluster implements AutoCloseable {
  static final String PEER = NodeAddress.NODE1.v4();
  static final int PORT = 9_024;
  private static final NodeAddress NODE = NodeAddress.NODE2;
  private static final Duration WITHIN = Duration.ofMinutes(4);

  private final Scratch scratch = Scratch.fresh("rollcall-bench-brief-");
  private final Path distribution;
  private final Path runner;
  private final TestCluster cluster;
  private final Running serving;

  BriefCluster(Bench bench) {
    distribution = bench.distribution();
    TestCluster raised = null;
    try {
      runner = CProgram.compile(BriefCluster.class, "runner", scratch.path());
      raised = TestCluster.start(ClusterSetup.of(distribution).withShape(new ClusterShape(2, 1)));
      cluster = raised;
      serving =
          cluster
              .node(NodeAddress.NODE1)
              .start(User.ROOT, runner.toString(), "serve", PEER, Integer.toString(PORT));
      serving.awaitOutput("listening", WITHIN);
    } catch (RuntimeException e) {
      if (raised != null) {
        raised.close();
      }
      scratch.close();
      throw e;
    }
  }

  /** A file of the distribution. */
  String shipped(String name) {
    return distribution.resolve(name).toString();
  }

  /** One after the other. */
  Runs row(int times, int first, List<String> command) {
    return run("row", times, first, command);
  }

  /** All at once. */
  Runs burst(int times, int first, List<String> command) {
    return run("burst", times, first, command);
  }

  private Runs run(String how, int times, int first, List<String> command) {
    var words =
        new ArrayList<>(
            List.of(runner.toString(), how, Integer.toString(times), Integer.toString(first)));
    words.addAll(command);
    return Runs.parse(
        node()
            .start(User.ROOT, words.toArray(String[]::new))
            .await(WITHIN)
            .outOrThrow(how + " of " + command));
  }

  private ClusterNode node() {
    return cluster.node(NODE);
  }

  /** How many jobs the agent has. */
  long jobs() {
    return node()
        .rollcall("jobs")
        .outOrThrow("rollcall jobs")
        .lines()
        .filter(line -> line.matches("[0-9].*"))
        .count();
  }

  long agentNanos() {
    return ProcessCost.cpuNanos(cluster.agent(NODE).pid());
  }

  @Override
  public void close() {
    serving.kill();
    cluster.close();
    scratch.close();
  }
}
