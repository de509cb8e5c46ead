package dev.rollcall.lab.adversary;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.User;
import java.util.stream.Collectors;

/**
 * What a node's board has counted.
 *
 * @param taken sessions whose caller was announced
 * @param missed sessions whose caller had to be asked for
 */
record BoardCounts(long taken, long missed) {
  static BoardCounts of(ClusterNode node) {
    String metrics = metrics(node);
    return new BoardCounts(lookups(metrics, "taken"), lookups(metrics, "missed"));
  }

  /** What else an agent has counted of calls, boards and streams, for whoever looks for a cause. */
  static String said(ClusterNode node) {
    return metrics(node)
        .lines()
        .filter(line -> line.matches("rollcall_(login_callers|calls?|stream|announce).*"))
        .collect(Collectors.joining("\n", "\n" + node.name() + ":\n", ""));
  }

  private static String metrics(ClusterNode node) {
    return node.shell(User.ROOT, "curl -s -m 20 http://127.0.0.1:7451/metrics")
        .outOrThrow("the agent's metrics");
  }

  private static long lookups(String metrics, String result) {
    String start = "rollcall_login_callers_lookups_total{result=\"" + result + "\"} ";
    return metrics
        .lines()
        .filter(line -> line.startsWith(start))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(start.length())))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + start + "in " + metrics));
  }
}
