package dev.rollcall.lab.adversary;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.User;
import java.util.stream.Collectors;

/**
 * What a node's board has counted.
 *
 * @param taken sessions whose caller was announced
 * @param early those whose caller was announced so long before sshd accepted that it was asked for
 * @param late those whose caller was not announced when they came
 */
record BoardCounts(long taken, long early, long late) {
  static BoardCounts of(ClusterNode node) {
    String metrics = metrics(node);
    long missed = count(metrics, "lookups", "result", "missed");
    long early = count(metrics, "dropped", "reason", "early");
    return new BoardCounts(count(metrics, "lookups", "result", "taken"), early, missed - early);
  }

  long announced() {
    return taken + early;
  }

  /** What else an agent has counted of calls, boards and streams, for whoever looks for a cause. */
  static String said(ClusterNode node) {
    return metrics(node)
        .lines()
        .filter(line -> line.matches("rollcall_(login_callers|calls?|stream|announce).*"))
        .collect(Collectors.joining("\n", "\n" + node.name() + ":\n", ""));
  }

  /** A page is up to a second old. */
  private static String metrics(ClusterNode node) {
    return node.shell(User.ROOT, "sleep 1.1; curl -s -m 20 http://127.0.0.1:7451/metrics")
        .outOrThrow("the agent's metrics");
  }

  private static long count(String metrics, String what, String label, String value) {
    String start = "rollcall_login_callers_%s_total{%s=\"%s\"} ".formatted(what, label, value);
    return metrics
        .lines()
        .filter(line -> line.startsWith(start))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(start.length())))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + start + "in " + metrics));
  }
}
