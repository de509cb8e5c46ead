package dev.rollcall.lab.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.slurm.SharedClusters.SlurmStage;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A session in a job of a real Slurm enters the container that a task made, as enroot does it. */
@Tag("slurm")
@ExtendWith(SharedClusters.class)
class TaskContainerSlurmTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String WHERE =
      "echo $(readlink /proc/self/ns/user /proc/self/ns/pid /proc/self/ns/mnt) it";
  private static final String CONTAINER =
      "exec unshare --user --map-root-user --mount --pid --fork --mount-proc --kill-child"
          + " sh -c '%s; exec sleep 86399.521'".formatted(WHERE);

  private static Result enter(ClusterNode login) {
    String command =
        "env JAVA_HOME=%s %s enter -- sh -c '%s'"
            .formatted(
                System.getProperty("java.home"),
                SlurmStage.DISTRIBUTION.resolve("bin/rollcall"),
                WHERE);
    return login.exec(User.ALICE, "ssh", "node2", command);
  }

  @Test
  void aSessionEntersTheContainerOfATask(SlurmStage shared) {
    SlurmCommandJobs slurm = shared.jobs();
    ClusterNode login = shared.cluster().node(NodeAddress.LOGIN);
    ClusterNode node2 = shared.cluster().node(NodeAddress.NODE2);
    long job = slurm.submit(User.ALICE, List.of(node2));
    try {
      Result without = enter(login);
      assertEquals(125, without.exit(), without::toString);
      assertEquals(
          "rollcall-enter: no task of the job on this node runs in a container\n", without.err());
      Running srun = slurm.step(node2, job, User.ALICE, "sh", "-c", CONTAINER);
      srun.awaitLine(" it", PATIENCE);
      Result within = enter(login);
      assertEquals(srun.outSoFar(), within.out(), within::err);
      assertNotEquals(
          srun.outSoFar(), login.exec(User.ALICE, "ssh", "node2", WHERE).outOrThrow("ssh"));
    } finally {
      slurm.cancel(List.of(job));
    }
  }
}
