package dev.rollcall.load.announce;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.ClusterSetup;
import dev.rollcall.lab.cluster.ClusterShape;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.StepSocketFile;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.gateway.Scratch;
import dev.rollcall.testkit.process.Running;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A cluster with an agent on the calling node, and a witness in the place of the called node's. A
 * program that runs below the node's cgroup is seen by the agent's kernel program; the same program
 * on the node, in a cgroup outside of that one, is not.
 */
final class AnnounceRig implements AutoCloseable {
  static final int ANNOUNCED = 9022;
  static final int OTHER = 9023;
  static final Duration WITHIN = Duration.ofMinutes(4);
  private static final int GATEWAY_PORT = 7450;
  private static final NodeAddress CALLED = NodeAddress.NODE2;

  private final Scratch scratch = Scratch.fresh("rollcall-bench-announce-");
  private final OtherCgroup outside = OtherCgroup.make();
  private final Prober prober;
  private final TestCluster cluster;
  private final Running taking;
  private final Running witness;

  AnnounceRig(Bench bench) {
    TestCluster raised = null;
    try {
      prober = Prober.compiledIn(scratch.path());
      raised =
          TestCluster.start(
              ClusterSetup.of(bench.distribution())
                  .withShape(new ClusterShape(2, 1))
                  .withAgentConfig("announced_ports: [22, " + ANNOUNCED + "]"));
      cluster = raised;
      cluster.agent(CALLED).stop();
      taking = cluster.node(CALLED).start(User.ROOT, prober.take(CALLED.v4(), ANNOUNCED, OTHER));
      taking.awaitOutput("listening", WITHIN);
      witness = start(cluster.node(CALLED), witness());
      witness.awaitOutput("connects", WITHIN);
    } catch (RuntimeException e) {
      if (raised != null) {
        raised.close();
      }
      outside.close();
      scratch.close();
      throw e;
    }
  }

  private List<String> witness() {
    Path files = cluster.directory();
    return List.of(
        Path.of(System.getProperty("java.home"), "bin/java").toString(),
        "-XX:+UseSerialGC",
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
        "-cp",
        System.getProperty("java.class.path"),
        Witness.class.getName(),
        NodeAddress.GATE.v4(),
        Integer.toString(GATEWAY_PORT),
        "demo",
        CALLED.name(),
        CALLED.v4(),
        files.resolve("ca.pem").toString(),
        files.resolve(CALLED.name()).resolve("tls").toString(),
        files.resolve("administrator").toString());
  }

  /** In the node's network, and in this process's cgroup. Its input stays open. */
  private static Running start(ClusterNode node, List<String> command) {
    return Running.start(inNetwork(node, command));
  }

  private static List<String> inNetwork(ClusterNode node, List<String> command) {
    var words =
        new ArrayList<>(List.of("nsenter", "--target", Long.toString(node.pid()), "--net", "--"));
    words.addAll(command);
    return words;
  }

  private ClusterNode caller() {
    return cluster.node(NodeAddress.NODE1);
  }

  private String[] call(int port, int count, int pauseMicros) {
    return prober.call(CALLED.v4(), port, count, pauseMicros);
  }

  /** A user's calls, which the agent's kernel program sees. It limits what each user announces. */
  List<Prober.Call> seen(User user, int port, int count, int pauseMicros) {
    return Prober.calls(
        caller()
            .start(user, call(port, count, pauseMicros))
            .await(WITHIN)
            .outOrThrow("calls of port " + port));
  }

  /** The same, from a cgroup of the machine that is not below the node's: it does not see them. */
  List<Prober.Call> unseen(User user, int port, int count, int pauseMicros) {
    return Prober.calls(
        caller()
            .startIn(StepSocketFile.of(outside.procs()), user, call(port, count, pauseMicros))
            .await(WITHIN)
            .outOrThrow("calls of port " + port));
  }

  /** Another user's calls, until it is killed or has made so many. */
  Running others(int count, int pauseMicros) {
    return caller().start(User.BOB, call(ANNOUNCED, count, pauseMicros));
  }

  /** The witness's lines until now. */
  List<String> witnessed() {
    return witness.outSoFar().lines().toList();
  }

  @Override
  public void close() {
    witness.kill();
    taking.kill();
    cluster.close();
    outside.close();
    scratch.close();
  }
}
