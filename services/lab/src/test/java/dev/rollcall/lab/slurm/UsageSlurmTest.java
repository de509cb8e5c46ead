package dev.rollcall.lab.slurm;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.slurm.SharedClusters.SlurmStage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What metrics have of jobs of a real Slurm that nobody scraped while they ran. */
@Tag("slurm")
@ExtendWith(SharedClusters.class)
class UsageSlurmTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String BURN = "i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done";

  private static Optional<Double> value(ClusterNode node, String series) {
    return node.exec(User.ROOT, "curl", "-fs", "http://127.0.0.1:7451/metrics/jobs")
        .outOrThrow("curl")
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .map(line -> Double.valueOf(line.substring(series.length() + 1)))
        .findFirst();
  }

  @Test
  void aShortJobHasTheUsageOfItsStepAfterItsEnd(SlurmStage shared) {
    SlurmCommandJobs slurm = shared.jobs();
    ClusterNode node = shared.cluster().node(NodeAddress.NODE2);
    long job = slurm.submit(User.CAROL, List.of(node), "--mem=50");
    slurm.step(node, job, User.CAROL, "sh", "-c", BURN).await(PATIENCE).outOrThrow("srun");
    slurm.cancel(List.of(job));
    String user = "rollcall_job_cpu_seconds_total{job=\"%d\",mode=\"user\"}".formatted(job);
    assertTrue(value(node, user).orElse(0.0) > 0.1, "the CPU time of its step");
  }
}
