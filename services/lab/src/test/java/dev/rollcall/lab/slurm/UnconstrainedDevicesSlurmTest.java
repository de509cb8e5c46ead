package dev.rollcall.lab.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.slurm.SharedClusters.SlurmStage;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** GPUs of sessions where a real Slurm restricts no device: numbers are those of the node. */
@Tag("slurm")
@Tag("full")
@ExtendWith(SharedClusters.class)
class UnconstrainedDevicesSlurmTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final List<String> SHOW =
      List.of("sh", "-c", "env | grep -E '^(CUDA|ROCR|GPU)' | sort");

  @Test
  void aSessionHasTheNumbersThatATaskHas(SlurmStage shared) throws IOException {
    ClusterNode node2 = shared.cluster().node(NodeAddress.NODE2);
    Path file = node2.file("/etc/slurm/cgroup.conf");
    String constrained = Files.readString(file);
    var jobs = new ArrayList<Long>();
    try {
      become(shared, file, constrained.replace("ConstrainDevices=yes", "ConstrainDevices=no"));
      jobs.add(shared.jobs().submit(User.BOB, List.of(node2), "--gres=gpu:1"));
      jobs.add(shared.jobs().submit(User.ALICE, List.of(node2), "--gres=gpu:2"));
      String task =
          shared
              .jobs()
              .step(node2, jobs.getLast(), User.ALICE, SHOW.toArray(String[]::new))
              .await(PATIENCE)
              .outOrThrow("srun");
      assertEquals(
          """
          CUDA_VISIBLE_DEVICES=1,2
          GPU_DEVICE_ORDINAL=1,2
          ROCR_VISIBLE_DEVICES=1,2
          """,
          task);
      assertEquals(task, session(shared));
    } finally {
      shared.jobs().cancel(jobs);
      become(shared, file, constrained);
    }
  }

  private static String session(SlurmStage shared) {
    ClusterNode login = shared.cluster().node(NodeAddress.LOGIN);
    return login.exec(User.ALICE, "ssh", "node2", SHOW.getLast()).outOrThrow("ssh");
  }

  /** Returns when the node's daemon works by the file. */
  private static void become(SlurmStage shared, Path file, String text) throws IOException {
    Files.writeString(file, text);
    ClusterNode login = shared.cluster().node(NodeAddress.LOGIN);
    login.exec(User.ROOT, "scontrol", "reconfigure").outOrThrow("scontrol reconfigure");
    Eventually.await(
        PATIENCE, () -> idle(login).out().strip().equals("idle"), () -> "node2: " + idle(login));
  }

  private static Result idle(ClusterNode login) {
    return login.exec(User.ROOT, "sinfo", "-h", "-n", "node2", "-o", "%t");
  }
}
