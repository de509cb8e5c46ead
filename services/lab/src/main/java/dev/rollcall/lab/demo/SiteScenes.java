package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;

/** Sessions between networks: across racks, on the second network, from outside of the cluster. */
final class SiteScenes {
  private static final String CALLS = "rollcall_watch_calls_total{";

  private SiteScenes() {}

  /** From the older of two jobs, so that the newest is not the caller's by chance. */
  static Outcome pushed(Stage stage) {
    ClusterNode node1 = stage.node1();
    try (var jobs = stage.begin(2, User.ALICE, node1, stage.node2())) {
      String before = metrics(node1);
      Visit visit = stage.fromJob(jobs.oldest(), "node2");
      String after = metrics(node1);
      return Outcome.compare(
          "job %d, pushed 1, kept 0".formatted(jobs.oldest()),
          "%s, pushed %d, kept %d"
              .formatted(
                  visit.place(),
                  calls(after, "yes") - calls(before, "yes"),
                  calls(after, "no") - calls(before, "no")),
          visit.millis());
    }
  }

  static Outcome secondNetwork(Stage stage) {
    return CallerScenes.twoJobs(stage, NodeAddress.NODE2.nameFabric());
  }

  static Outcome fromCampus(Stage stage) {
    ClusterNode campus = stage.cluster().node(NodeAddress.CAMPUS);
    try (var jobs = stage.begin(1, User.ALICE, stage.node2())) {
      var ssh =
          campus.exec(User.ALICE, "ssh", "-J", NodeAddress.LOGIN_FROM_CAMPUS, "node2", Visit.TELL);
      return Outcome.places("job " + jobs.newest(), stage.visit(stage.node2(), ssh));
    }
  }

  /** A page is up to a second old. */
  private static String metrics(ClusterNode node) {
    return node.shell(User.ROOT, "sleep 1.1; curl -s -m 5 http://127.0.0.1:7451/metrics")
        .outOrThrow("metrics of " + node.name());
  }

  /** The node's calls to tracked ports that its agent has pushed, or has kept. */
  private static long calls(String metrics, String pushed) {
    return metrics
        .lines()
        .filter(line -> line.startsWith(CALLS))
        .filter(line -> line.contains("pushed=\"%s\"".formatted(pushed)))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
