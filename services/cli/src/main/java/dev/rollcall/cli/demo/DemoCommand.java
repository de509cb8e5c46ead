package dev.rollcall.cli.demo;

import dev.rollcall.testkit.cluster.ClusterException;
import dev.rollcall.testkit.cluster.ClusterNode;
import dev.rollcall.testkit.cluster.ClusterSetup;
import dev.rollcall.testkit.cluster.TestCluster;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Raises a cluster on this machine, plays the scenes, and takes everything away again. */
@Command(
    name = "demo",
    description =
        "Raise three nodes, a login node and a gateway as network namespaces on this machine, and"
            + " play what Rollcall does there. As root.")
public final class DemoCommand implements Callable<Integer> {
  @Option(names = "--once", description = "End after the scenes; exit 1 if one differs.")
  private boolean once;

  @Option(names = "--json", description = "Print a JSON array of scene, ok, ms, and nothing else.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    try (var cluster = TestCluster.start(ClusterSetup.of(distribution()));
        var agents = new AgentLines()) {
      say(err, "cluster %s is ready after %d ms".formatted(cluster.id(), cluster.age().toMillis()));
      boolean allHold = play(Stage.of(cluster, agents), err);
      if (!once) {
        lookAround(cluster, json ? err : spec.commandLine().getOut());
        // Ctrl-C ends the process, and the cluster's own hook then takes it down.
        new CountDownLatch(1).await();
      }
      return allHold ? 0 : 1;
    } catch (ClusterException e) {
      say(err, "rollcall: " + e.getMessage());
      return 1;
    }
  }

  /** The launcher names the folder that it was started from. */
  private static Path distribution() {
    String folder = System.getProperty("rollcall.distribution");
    if (folder == null) {
      throw new ClusterException("the demo works through the launcher, bin/rollcall");
    }
    return Path.of(folder);
  }

  private boolean play(Stage stage, PrintWriter err) {
    PrintWriter out = spec.commandLine().getOut();
    var rows = new ArrayList<String>();
    boolean allHold = true;
    for (Scene scene : Scenes.all()) {
      Outcome outcome = scene.play(stage);
      allHold &= outcome.ok();
      rows.add(
          "{\"scene\":\"%s\",\"ok\":%s,\"ms\":%d}"
              .formatted(scene.name(), outcome.ok(), outcome.millis()));
      if (!json) {
        say(out, line(scene, outcome));
      }
      if (!outcome.ok()) {
        say(err, scene.name() + " differs: " + outcome + "\n" + stage.cluster().logs());
      }
    }
    if (json) {
      say(out, "[" + String.join(",\n ", rows) + "]");
    }
    return allHold;
  }

  static String line(Scene scene, Outcome outcome) {
    return "%-7s %-42s %5d ms  %s | expected: %s | seen: %s"
        .formatted(
            outcome.ok() ? "ok" : "DIFFERS",
            scene.name(),
            outcome.millis(),
            scene.what(),
            outcome.expected(),
            outcome.seen());
  }

  private static void lookAround(TestCluster cluster, PrintWriter out) {
    var lines = new ArrayList<String>();
    lines.add("The cluster stays up until Ctrl-C. Its logs are in " + cluster.directory() + ".");
    lines.add("Enter a node as root:");
    List<ClusterNode> nodes = cluster.nodes();
    nodes.forEach(node -> lines.add("  %-6s %s".formatted(node.name(), node.way())));
    lines.add("Then, on node1 and node2 both, begin a job, and on node1 go ssh from inside it:");
    lines.add("  rollcall=" + distribution().resolve("bin/rollcall"));
    lines.add("  $rollcall job begin --user alice 901");
    lines.add("  $rollcall job run --job 901 -- ssh node2 cat /proc/self/cgroup");
    lines.add("See also $rollcall jobs, ps 901, nodes, whois SRC DST, and the logs in /var/log.");
    say(out, String.join("\n", lines));
  }

  private static void say(PrintWriter to, String text) {
    to.println(text);
    to.flush();
  }
}
