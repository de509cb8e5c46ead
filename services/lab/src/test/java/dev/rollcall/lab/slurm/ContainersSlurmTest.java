package dev.rollcall.lab.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.ClusterSetup;
import dev.rollcall.lab.cluster.ClusterShape;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.slurm.SharedClusters.SlurmStage;
import dev.rollcall.testkit.process.Result;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Logins enter the containers that plugins of a real Slurm make for jobs. Its nodes have no files
 * of Slurm's: slurmd gets them from slurmctld, and the agent finds them there.
 */
@Tag("slurm")
class ContainersSlurmTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String PLACES = "readlink /proc/self/ns/mnt /proc/self/ns/pid";
  private static final String FILE = "/tmp/of-the-job";

  private static ClusterSetup with(ContainerPlugin plugin) {
    SlurmSetup slurm = SlurmSetup.of(SlurmStage.DISTRIBUTION).withContainers(plugin).withoutFiles();
    return ClusterSetup.of(SlurmStage.DISTRIBUTION)
        .withShape(new ClusterShape(2, 1))
        .withBatchSystem(new Slurm(slurm))
        .withPamOptions(SlurmSetup.PATIENCE);
  }

  @ParameterizedTest
  @MethodSource("dev.rollcall.lab.slurm.ContainerPlugin#here")
  void aLoginIsInTheContainerOfItsJob(ContainerPlugin plugin) {
    try (var cluster = TestCluster.start(with(plugin))) {
      ClusterNode node2 = cluster.node(NodeAddress.NODE2);
      assertFalse(Files.exists(node2.file("/etc/slurm/slurm.conf")));
      var slurm = new SlurmCommandJobs(cluster);
      long job = slurm.submit(User.ALICE, List.of(node2));
      String ofTheJob =
          slurm
              .step(node2, job, User.ALICE, "sh", "-c", "echo word >" + FILE + "; " + PLACES)
              .await(PATIENCE)
              .outOrThrow("srun");

      ClusterNode login = cluster.node(NodeAddress.LOGIN);
      Result session = login.exec(User.ALICE, "ssh", "node2", "cat " + FILE + "; " + PLACES);
      assertEquals("word\n" + ofTheJob, session.out(), session::err);
      List<String> inside = ofTheJob.lines().toList();
      List<String> outside = node2.exec(User.ALICE, "sh", "-c", PLACES).out().lines().toList();
      assertNotEquals(outside.getFirst(), inside.getFirst());
      assertEquals(plugin.ownProcesses(), !outside.getLast().equals(inside.getLast()));
      assertFalse(Files.exists(node2.file(FILE)), "the node does not have it");
      slurm.cancel(List.of(job));
    }
  }
}
