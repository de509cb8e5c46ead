package dev.rollcall.lab.monitoring;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.lab.cluster.ClusterSetup;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.slurm.Slurm;
import dev.rollcall.lab.slurm.SlurmCommandJobs;
import dev.rollcall.lab.slurm.SlurmSetup;
import dev.rollcall.lab.tree.SourceTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboards of jobs, filled by jobs of a real Slurm. */
@Tag("slurm")
@Tag("full")
class DashboardsSlurmTest {
  private static final Path DISTRIBUTION = SourceTree.DISTRIBUTION.toAbsolutePath().normalize();

  /** Slurm's jobs are in the hierarchies of v1 that it needs here: it constrains no cores. */
  private static final Pattern NOT_MEASURED =
      Pattern.compile(
          "_pressure_|_allotted_cpus|_cpu_efficiency|_cpu_throttled|_oom_kills_|_io_|_threads");

  @Test
  void eachPanelHasFiguresAndNoAlertFires(@TempDir Path folder) throws IOException {
    var setup =
        ClusterSetup.of(DISTRIBUTION)
            .withBatchSystem(new Slurm(SlurmSetup.of(DISTRIBUTION)))
            .withPamOptions(SlurmSetup.PATIENCE)
            .withMetricsByTls()
            .withAgentConfig("job_metrics: steps");
    try (var cluster = TestCluster.start(setup);
        var prometheus = Prometheus.of(cluster, folder, Shipped.RULES)) {
      var slurm = new SlurmCommandJobs(cluster);
      var node1 = cluster.node(NodeAddress.NODE1);
      var nodes = List.of(node1, cluster.node(NodeAddress.NODE2));
      long job = slurm.submit(User.ALICE, nodes, "--mem=400", "--gres=gpu:2");
      var _ = slurm.step(node1, job, User.ALICE, "sleep", "600");
      for (String name :
          List.of("rollcall-job.json", "rollcall-user.json", "rollcall-node-jobs.json")) {
        for (String expression :
            new Panels(requireNonNull(Shipped.dashboards().get(name))).expressions()) {
          if (!NOT_MEASURED.matcher(expression).find()) {
            prometheus.await("count(" + expression + ")", series -> series >= 1);
          }
        }
      }
      assertEquals(Set.of(), prometheus.fired());
      slurm.cancel(List.of(job));
    }
  }
}
