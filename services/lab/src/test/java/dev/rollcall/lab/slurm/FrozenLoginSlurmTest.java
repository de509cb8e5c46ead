package dev.rollcall.lab.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.fault.SlowOpening;
import dev.rollcall.lab.slurm.SharedClusters.SlurmStage;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A real Slurm suspends a job between the PAM module's look at its freezer and its move. */
@Tag("slurm")
@ExtendWith(SharedClusters.class)
class FrozenLoginSlurmTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Longer than Slurm needs to suspend a job. */
  private static final Duration LATE = Duration.ofSeconds(15);

  private static final int TRIES = 5;

  private static final String PLACE = "/sys/fs/cgroup/freezer[^[:cntrl:]]*step_extern";

  @Test
  void theLoginIsEndedAndDoesNotWaitForTheJobToBeResumed(SlurmStage shared) throws IOException {
    TestCluster cluster = shared.cluster();
    SlurmCommandJobs slurm = shared.jobs();
    var node = cluster.node(NodeAddress.NODE2);
    long job = slurm.submit(User.ALICE, List.of(node));
    Path freezer = freezer(node, job);

    Result refused = loginWhileSuspended(cluster, slurm, job, freezer);
    assertFalse(refused.ok(), refused.out());
    assertTrue(refused.err().matches("(?s).*[Cc]onnection (closed|reset).*"), refused.err());
    assertEquals("FROZEN", SlurmCommandJobs.freezer(node, job));
    assertTrue(cluster.logs().contains("job " + job + " is suspended: process"), cluster::logs);

    slurm.resume(job);
    String place = "/step_extern";
    Eventually.await(
        PATIENCE,
        () -> login(cluster).await(PATIENCE).out().contains(place),
        () -> "no login into job " + job + ", which is resumed: " + cluster.logs());
    slurm.cancel(List.of(job));
  }

  /** The directory in which the module moves first, as the file of the job names it. */
  private static Path freezer(ClusterNode node, long job) {
    String look = "grep -ao '%s' /run/rollcall/login/jobs/%d".formatted(PLACE, job);
    var found = new ArrayList<String>();
    Eventually.await(
        PATIENCE,
        () -> found.addAll(node.shell(User.ROOT, look).out().lines().toList()),
        () -> "no cgroup for sessions of job " + job);
    return Path.of(found.getFirst());
  }

  private static Running login(TestCluster cluster) {
    return cluster
        .node(NodeAddress.LOGIN)
        .start(User.ALICE, "ssh", "node2", "cat /proc/self/cgroup");
  }

  private static Result loginWhileSuspended(
      TestCluster cluster, SlurmCommandJobs slurm, long job, Path freezer) throws IOException {
    var node = cluster.node(NodeAddress.NODE2);
    long sshd = Long.parseLong(Files.readString(node.file("/run/sshd.pid")).strip());
    try (var _ = SlowOpening.of(sshd, freezer.resolve("tasks"), LATE)) {
      Path lock = node.file("/run/rollcall/login/users/" + User.ALICE.uid() + ".lock");
      Running login = loginByFiles(cluster, lock);
      slurm.suspend(job);
      assertTrue(isHeld(lock), "Slurm has frozen the job before the login moved");
      return login.await(LATE.plus(PATIENCE));
    }
  }

  /** Until the agent has the variables of the job's task, it answers logins, which is quick. */
  private static Running loginByFiles(TestCluster cluster, Path lock) {
    Running login = login(cluster);
    for (int tries = 1; tries < TRIES && !holds(login, lock); tries++) {
      login = login(cluster);
    }
    assertTrue(holds(login, lock), "no login holds " + lock);
    return login;
  }

  private static boolean holds(Running login, Path lock) {
    return Eventually.holds(PATIENCE, () -> isHeld(lock) || !login.isAlive()) && isHeld(lock);
  }

  /** By its inode, in proc_locks(5). */
  private static boolean isHeld(Path lock) {
    try {
      String inode = ":" + Files.getAttribute(lock, "unix:ino") + " ";
      return Files.readAllLines(Path.of("/proc/locks")).stream()
          .anyMatch(line -> line.contains(" READ ") && line.contains(inode));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
