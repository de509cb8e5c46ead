package dev.rollcall.lab.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.rollcall.gateway.batch.Squeue;
import dev.rollcall.gateway.batch.SqueueAnswer;
import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.slurm.SharedClusters.SlurmAlone;
import dev.rollcall.model.JobId;
import dev.rollcall.port.Jobs.JobSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The squeue of the Slurm that is installed here, in a cluster of it. */
@Tag("slurm")
@ExtendWith(SharedClusters.class)
class RealSqueueTest {
  @TempDir Path directory = Path.of("unset");

  @Test
  void saysOfJobsInJsonWhatItSaysInColumns(SlurmAlone alone) throws Exception {
    TestCluster cluster = alone.cluster();
    SlurmCommandJobs jobs = alone.jobs();
    ClusterNode gate = cluster.node(NodeAddress.GATE);
    Path script =
        Files.writeString(
            directory.resolve("squeue"),
            "#!/bin/sh\nnsenter --target %d --net --uts --ipc --mount -- squeue \"$@\" | tee $0.said\n"
                .formatted(gate.pid()));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    var squeue = new Squeue(script, Squeue.DEADLINE, Squeue.MOST_BYTES);
    // Jobs of other tests that ended a short time ago.
    Set<JobId> before = told(squeue).keySet();

    ClusterNode node1 = cluster.node(NodeAddress.NODE1);
    long whole = jobs.submit(User.ALICE, List.of(node1, cluster.node(NodeAddress.NODE2)));
    long frozen = jobs.submit(User.BOB, List.of(node1));
    jobs.suspend(frozen);
    String waiting =
        cluster
            .node(NodeAddress.LOGIN)
            .exec(User.CAROL, "sbatch", "--parsable", "--begin=now+1hour", "--wrap", "true")
            .outOrThrow("sbatch")
            .strip();

    var told = new HashMap<>(told(squeue));
    told.keySet().removeAll(before);
    assertEquals(Set.of(new JobId(whole), new JobId(frozen)), told.keySet(), waiting);
    for (JobSpec job : told.values()) {
      assertEquals(inColumns(gate, job.id()), job);
    }
    System.out.printf(
        "squeue --json wrote %d bytes for 3 jobs%n", Files.size(Path.of(script + ".said")));
    jobs.cancel(List.of(whole, frozen, Long.parseLong(waiting)));
  }

  private static Map<JobId, JobSpec> told(Squeue squeue) throws InterruptedException {
    SqueueAnswer answer = squeue.ask();
    return assertInstanceOf(SqueueAnswer.Told.class, answer, answer::toString).started();
  }

  /** Uid, gid and start, whose time is the controller's local one. */
  private static JobSpec inColumns(ClusterNode node, JobId job) {
    String[] columns =
        node.exec(User.ROOT, "squeue", "-h", "-j", job.toString(), "-O", "UserID,GroupID,StartTime")
            .outOrThrow("squeue")
            .strip()
            .split("\\s+", -1);
    Instant start = LocalDateTime.parse(columns[2]).atZone(ZoneId.systemDefault()).toInstant();
    return new JobSpec(job, Integer.parseInt(columns[0]), Integer.parseInt(columns[1]), start);
  }
}
