package dev.rollcall.lab.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.slurm.SharedClusters.SlurmStage;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Result;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Heterogeneous jobs of a real Slurm: each component is a job, and the first has the script. Slurm
 * starts them by its backfill scheduler, every 30 s.
 */
@Tag("slurm")
@Tag("full")
@ExtendWith(SharedClusters.class)
class HeterogeneousSlurmTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final String SUBMIT =
      """
      sbatch --parsable --chdir=/tmp --output=/dev/null <<'END'
      #!/bin/sh
      #SBATCH --nodelist=node1 --mem=100
      #SBATCH hetjob
      #SBATCH --nodelist=node2 --mem=100
      exec sleep infinity
      END
      """;

  private static final String SHOW = "env | grep -E '^SLURM_(HET|JOB_ID|JOB_NODELIST)' | sort";

  @Test
  void eachComponentIsFoundAsSqueueListsItAndHasItsOwnVariables(SlurmStage shared) {
    ClusterNode login = shared.cluster().node(NodeAddress.LOGIN);
    long first = Long.parseLong(login.shell(User.ALICE, SUBMIT).outOrThrow("sbatch").strip());
    long second = first + 1;
    try {
      String rollcall = SlurmStage.DISTRIBUTION.resolve("bin/rollcall").toString();
      isListed(shared, NodeAddress.NODE1, rollcall, first, first + "+0");
      isListed(shared, NodeAddress.NODE2, rollcall, second, first + "+1");
      assertEquals(
          """
          SLURM_HET_JOB_ID=%1$d
          SLURM_JOB_ID=%1$d
          SLURM_JOB_ID_HET_GROUP_0=%1$d
          SLURM_JOB_ID_HET_GROUP_1=%2$d
          SLURM_JOB_NODELIST=node1
          SLURM_JOB_NODELIST_HET_GROUP_0=node1
          SLURM_JOB_NODELIST_HET_GROUP_1=node2
          """
              .formatted(first, second),
          login.exec(User.ALICE, "ssh", "node1", SHOW).outOrThrow("ssh node1"));
      assertEquals(
          """
          SLURM_HET_JOB_ID=%1$d
          SLURM_JOB_ID=%2$d
          SLURM_JOB_NODELIST=node2
          """
              .formatted(first, second),
          login.exec(User.ALICE, "ssh", "node2", SHOW).outOrThrow("ssh node2"));
    } finally {
      shared.jobs().cancel(List.of(first));
    }
  }

  private static void isListed(
      SlurmStage shared, NodeAddress at, String rollcall, long job, String id) {
    ClusterNode node = shared.cluster().node(at);
    Eventually.await(
        PATIENCE,
        () -> node.exec(User.ALICE, rollcall, "jobs").out().contains("  " + id + "\n"),
        () -> id + " is not listed: " + node.exec(User.ALICE, rollcall, "jobs", "--json"));
    Result processes = node.exec(User.ALICE, rollcall, "ps", id, "--json");
    assertTrue(processes.out().contains("\"job\":" + job + ","), processes::toString);
  }
}
