package dev.rollcall.lab.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.scenario.AuditOnlyYaml;
import dev.rollcall.lab.slurm.SharedClusters.SlurmStage;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The change of docs/migrating-from-pam_slurm_adopt.md on a node with real Slurm: first
 * pam_slurm_adopt with Rollcall beside it in audit-only mode, then Rollcall alone, then
 * pam_slurm_adopt alone.
 */
@Tag("slurm")
@ExtendWith(SharedClusters.class)
class MigrationSlurmTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String STACK = "/etc/pam.d/sshd";
  private static final Path PAGE =
      SourceTree.ROOT.resolve("docs/migrating-from-pam_slurm_adopt.md");
  private static final String OURS =
      SlurmStage.DISTRIBUTION.resolve("lib/security/pam_rollcall.so").toString();

  /** The lines that the page shows for the time without effect. */
  private static final Pattern BOTH =
      Pattern.compile(
          "   (account    optional     pam_rollcall\\.so .*)\n   (account .*slurm_adopt.so)\n");

  private static final Pattern IN_JOB = Pattern.compile("uid_2001/job_([0-9]+)/step_extern");

  @Test
  void decidesAsSlurmsModuleBesideItThenInItsPlaceAndGivesThePlaceBack(SlurmStage shared)
      throws IOException {
    TestCluster cluster = shared.cluster();
    ClusterNode node2 = cluster.node(NodeAddress.NODE2);
    var site = new Site(cluster, cluster.node(NodeAddress.NODE1), node2, shared.jobs());
    String stack = Files.readString(node2.file(STACK));
    try (var auditOnly = new AuditOnlyYaml(cluster)) {
      auditOnly.write("node: yes\n");
      site.beside();
      long older = site.submit();
      long newer = site.submit();
      auditOnly.awaitRead();
      Eventually.await(
          PATIENCE, () -> site.watches(newer), () -> "it is audit-only: " + cluster.logs());
      site.areDecidedAlike(List.of(older, newer));

      site.inPlace();
      auditOnly.delete();
      auditOnly.awaitRead();
      Eventually.await(
          PATIENCE,
          () -> site.bob().err().contains("pam_rollcall on node2"),
          () -> "bob is refused by pam_rollcall: " + cluster.logs());
      site.areAdopted(List.of(older, newer));

      site.back();
      site.areSlurms(List.of(older, newer));
      site.slurm().cancel(List.of(older, newer));
    } finally {
      Files.writeString(node2.file(STACK), stack);
    }
  }

  /** The cluster, of which node2 changes its module. */
  private record Site(
      TestCluster cluster, ClusterNode node1, ClusterNode node2, SlurmCommandJobs slurm) {
    long submit() {
      return slurm.submit(User.ALICE, List.of(node1, node2));
    }

    Result bob() {
      return node1.exec(User.BOB, "ssh", "node2", "true");
    }

    void areDecidedAlike(List<Long> jobs) {
      for (long job : jobs) {
        assertEquals(job, jobOf(login(job)), "pam_slurm_adopt's job");
        awaitDecision("\"would\":\"adopted\",\"would_job\":" + job + ",");
      }
      bobIsRefusedBySlurm();
      awaitDecision("\"would\":\"denied\"");
    }

    void areSlurms(List<Long> jobs) {
      for (long job : jobs) {
        assertEquals(job, jobOf(login(job)), "pam_slurm_adopt's job");
      }
      bobIsRefusedBySlurm();
    }

    private void bobIsRefusedBySlurm() {
      Result refused = bob();
      assertFalse(refused.ok());
      assertTrue(refused.err().contains("pam_slurm_adopt"), refused::toString);
    }

    void areAdopted(List<Long> jobs) {
      for (long job : jobs) {
        assertEquals(job, jobOf(login(job)), cluster::logs);
        awaitDecision("\"reason\":\"caller-job\",\"job\":" + job + ",");
      }
    }

    /** Rollcall's line above Slurm's, and no session line, as the page has them. */
    void beside() throws IOException {
      Matcher lines = lines();
      stack(lines.group(1).replace("pam_rollcall.so", OURS) + "\n" + lines.group(2) + "\n", "");
    }

    void inPlace() throws IOException {
      stack(
          "account  required   " + OURS + " " + SlurmSetup.PATIENCE + "\n",
          "session  required   " + OURS + " " + SlurmSetup.PATIENCE + "\n");
    }

    /** Slurm's account line again, and no session line. */
    void back() throws IOException {
      stack(lines().group(2) + "\n", "");
    }

    private static Matcher lines() throws IOException {
      Matcher lines = BOTH.matcher(Files.readString(PAGE));
      assertTrue(lines.find(), "the page has the two lines");
      return lines;
    }

    private void stack(String account, String session) throws IOException {
      Files.writeString(
          node2.file(STACK),
          """
          auth     required   pam_unix.so
          account  required   pam_nologin.so
          account  required   pam_unix.so
          """
              + account
              + "session  required   pam_unix.so\n"
              + session);
    }

    /** The agent reads the file some time after it was written, and knows the job then. */
    private boolean watches(long job) {
      if (!login(job).ok()) {
        return false;
      }
      return lastDecision().contains("\"would_job\":" + job + ",");
    }

    private Result login(long job) {
      return slurm
          .step(node1, job, User.ALICE, "ssh", "node2", "cat", "/proc/self/cgroup")
          .await(PATIENCE);
    }

    private long jobOf(Result login) {
      Matcher job = IN_JOB.matcher(login.outOrThrow("ssh from a step: " + slurm.logs()));
      assertTrue(job.find(), login::toString);
      return Long.parseLong(job.group(1));
    }

    /** A thread of the agent writes it, some time after the login. */
    private void awaitDecision(String has) {
      Eventually.await(
          PATIENCE, () -> lastDecision().contains(has), () -> has + " is not in " + lastDecision());
    }

    private String lastDecision() {
      Path file = cluster.directory().resolve("node2/disk/audit.jsonl");
      return node2
          .exec(User.ROOT, "cat", file.toString())
          .outOrThrow("the audit log")
          .lines()
          .filter(line -> line.contains("\"event\":\"session\""))
          .reduce("", (_, last) -> last);
    }
  }
}
