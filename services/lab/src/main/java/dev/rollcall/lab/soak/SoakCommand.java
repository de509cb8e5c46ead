package dev.rollcall.lab.soak;

import dev.rollcall.lab.cluster.ClusterSetup;
import dev.rollcall.lab.cluster.ClusterShape;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.demo.AgentLines;
import dev.rollcall.testkit.process.RigException;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Raises a cluster on this machine and lets faults happen on it for as long as asked. */
@Command(
    name = "soak",
    description =
        "Raise many nodes and several gateways as network namespaces on this machine, let sessions,"
            + " jobs and faults come and go, have a user and a node attack meanwhile, and look at"
            + " what must hold. As root.")
public final class SoakCommand implements Callable<Integer> {
  /** The login socket's deadline where agents share two processors. */
  private static final String PAM_PATIENCE = "timeout_ms=3000";

  private static final Duration LOGIN_WITHIN = Duration.ofSeconds(45);

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "1",
      description = "How long, after the cluster is up (default: 1).")
  private double minutes = 1;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Determines all that is planned. Without it one is drawn, and printed.")
  private @Nullable Long seed;

  @Option(names = "--nodes", paramLabel = "N", description = "Compute nodes (default: 20).")
  private int nodes = 20;

  @Option(names = "--gateways", paramLabel = "N", description = "Gateways (default: 3).")
  private int gateways = 3;

  @Option(names = "--json", description = "Print one JSON object, and nothing else.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter err = spec.commandLine().getErr();
    long chosen = seed == null ? new SplittableRandom().nextLong(1_000_000_000) : seed;
    try {
      var shape = new ClusterShape(nodes, gateways);
      var length = Duration.ofMillis((long) (minutes * 60_000));
      var plan = Plan.of(chosen, length, shape);
      say(err, "seed %d, %d nodes, %d gateways, %s".formatted(chosen, nodes, gateways, length));
      return soak(plan, shape, err);
    } catch (RigException | IllegalArgumentException e) {
      say(err, "rollcall: " + e.getMessage());
      return 1;
    }
  }

  private int soak(Plan plan, ClusterShape shape, PrintWriter err) {
    var setup =
        ClusterSetup.of(distribution())
            .withShape(shape)
            .withSteppedClocks()
            .withJavaOptions("-XX:TieredStopAtLevel=1")
            .withPamOptions("action_unknown=deny", PAM_PATIENCE);
    try (var cluster = TestCluster.start(setup);
        var agents = new AgentLines()) {
      long raised = cluster.age().toMillis();
      say(err, "cluster %s is ready after %d ms".formatted(cluster.id(), raised));
      var soak = new Soak(cluster, agents, plan, LOGIN_WITHIN, line -> say(err, line));
      SoakTally tally = soak.run();
      if (!tally.violations().isEmpty()) {
        say(err, cluster.logs());
      }
      tell(result(plan, shape, tally, raised, soak));
      return tally.violations().isEmpty() ? 0 : 1;
    }
  }

  private static Map<String, Object> result(
      Plan plan, ClusterShape shape, SoakTally tally, long raised, Soak soak) {
    var result = new LinkedHashMap<String, Object>();
    result.put("seed", plan.seed());
    result.put("nodes", shape.nodes());
    result.put("gateways", shape.gateways());
    result.put("raised_ms", raised);
    result.put("ms", soak.millis());
    result.put("sessions", tally.of("sessions"));
    result.put("jobs", tally.of("jobs"));
    result.put("faults", tally.of("faults"));
    result.put("agreed_ms", soak.agreedMillis());
    result.put("counts", tally.counts());
    result.put(
        "violations", tally.violations().stream().map(one -> one.json(plan.seed())).toList());
    return result;
  }

  private void tell(Map<String, Object> result) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      say(out, new JsonObject(result).encode());
    } else {
      result.forEach((name, value) -> say(out, "%-10s %s".formatted(name, value)));
    }
  }

  /** The script names the distribution that it built. */
  private static Path distribution() {
    String folder = System.getProperty("rollcall.distribution");
    if (folder == null) {
      throw new RigException("the soak is started by ./rollcall at the source tree's root");
    }
    return Path.of(folder);
  }

  private static void say(PrintWriter to, String line) {
    to.println(line);
    to.flush();
  }
}
