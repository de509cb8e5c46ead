package dev.rollcall.lab.demo;

import static java.util.stream.Collectors.joining;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.Daemon;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;
import java.time.Duration;
import java.util.List;

/** Several gateways that form a cluster, and the loss of one of them. */
final class GridScenes {
  private static final Duration SOON = Patience.ofSeconds(30);
  private static final String MEMBERS = "rollcall_gateway_grid_members{";

  private GridScenes() {}

  /** The gateway to which node2 is connected is killed, and comes back. */
  static Outcome oneKilled(Stage stage) {
    try (var bobs = stage.begin(1, User.BOB, stage.node2());
        var jobs = stage.begin(2, User.ALICE, stage.node1(), stage.node2())) {
      stage.awaitConnection();
      ClusterNode killed = connected(stage);
      Daemon gateway = stage.cluster().daemon(killed.address());
      List<ClusterNode> others =
          stage.cluster().gates().stream().filter(gate -> !gate.equals(killed)).toList();
      gateway.kill();
      Visit atOnce;
      Visit later;
      String listed;
      try {
        atOnce = stage.fromLogin(User.BOB);
        stage.awaitConnection();
        later = stage.fromJob(jobs.oldest(), "node2");
        listed = listing(stage, others, jobs);
      } finally {
        gateway.start();
        gateway.awaitReady();
      }
      String whole = listing(stage, stage.cluster().gates(), jobs);
      stage.awaitConnection();
      return Outcome.compare(
          expected(bobs, jobs),
          "bob in %s, alice in %s; roll %s; back: roll %s"
              .formatted(atOnce.place(), later.place(), listed, whole),
          Outcome.slowest(atOnce, later));
    }
  }

  private static String expected(OpenJobs bobs, OpenJobs jobs) {
    return "bob in job %d, alice in job %d; roll whole; back: roll whole"
        .formatted(bobs.oldest(), jobs.oldest());
  }

  private static ClusterNode connected(Stage stage) {
    String address =
        stage.agents().nodes(stage.login()).stream()
            .filter(node -> node.getNode().equals(stage.node2().name()))
            .findFirst()
            .orElseThrow()
            .getGateway();
    return stage.cluster().gates().stream()
        .filter(gate -> address.equals(stage.cluster().endpoint(gate)))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no gateway has the address " + address));
  }

  /** "whole", once each of these gateways sees all of them and lists the jobs on both nodes. */
  private static String listing(Stage stage, List<ClusterNode> gates, OpenJobs jobs) {
    boolean whole =
        Eventually.holds(
            SOON,
            () ->
                gates.stream().allMatch(gate -> members(gate) == gates.size())
                    && gates.stream().allMatch(gate -> lists(stage, gate, jobs)));
    return whole
        ? "whole"
        : gates.stream()
            .map(gate ->
                "%s with %d members: %s"
                    .formatted(
                        gate.name(), members(gate), stage.cluster().asAdministrator(gate, "jobs")))
            .collect(joining("; "));
  }

  private static boolean lists(Stage stage, ClusterNode gate, OpenJobs jobs) {
    String all = stage.cluster().asAdministrator(gate, "jobs").out();
    return jobs.nodes().stream()
        .allMatch(node ->
            jobs.ids().stream()
                .allMatch(job ->
                    all.lines().anyMatch(line -> line.matches(job + " +" + node.name() + " .*"))));
  }

  private static long members(ClusterNode gate) {
    return gate.shell(User.ROOT, "curl -s -m 5 http://127.0.0.1:7453/metrics")
        .out()
        .lines()
        .filter(line -> line.startsWith(MEMBERS))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElse(0);
  }
}
