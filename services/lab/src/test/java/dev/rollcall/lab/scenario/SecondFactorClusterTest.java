package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ProcessStart;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.proto.v1.BeginRequest;
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

/**
 * With keyboard-interactive, sshd runs PAM's account phase in a child that ends: the process that
 * stays was never in the job when its session begins.
 */
@Tag("cluster")
@ExtendWith(OnStage.class)
class SecondFactorClusterTest {
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final int PROJECT = 4242;
  private static final long JOB_OF_THE_PROJECT = 900_001;

  private final Path module =
      SourceTree.DISTRIBUTION.resolve("lib/security").resolve("pam_rollcall.so");

  private String authOptional() {
    return "auth     optional   " + module;
  }

  private Result fromJob(Stage stage, long job, String command) {
    List<String> ssh = SecondSshd.ssh("node2", command);
    return stage
        .startInJob(stage.node1(), job, User.ALICE, ssh.toArray(String[]::new))
        .await(DEADLINE);
  }

  @Test
  void aPasswordByKeyboardInteractiveLeadsIntoTheCallersJob(Stage stage) throws IOException {
    try (var jobs = stage.begin(2, User.ALICE, stage.node1(), stage.node2());
        var _ = SecondSshd.start(stage.node2(), "keyboard-interactive", authOptional(), module)) {
      isInItsCallersJob(stage, jobs.oldest());
    }
  }

  @Test
  void soDoesAKeyFollowedByAPassword(Stage stage) throws IOException {
    String methods = "publickey,keyboard-interactive";
    try (var jobs = stage.begin(2, User.ALICE, stage.node1(), stage.node2());
        var _ = SecondSshd.start(stage.node2(), methods, "", module)) {
      isInItsCallersJob(stage, jobs.oldest());
    }
  }

  private void isInItsCallersJob(Stage stage, long job) {
    // Calls to this port are not announced: the source is asked.
    stage.awaitConnection();
    Result said =
        fromJob(stage, job, "grep ^0:: /proc/self/cgroup; echo $SLURM_JOB_ID $ROLLCALL_REASON");
    List<String> lines = said.outOrThrow("ssh: " + stage.cluster().logs()).lines().toList();
    assertEquals("job " + job, Storm.place(stage.node2().below(lines.getFirst())));
    assertEquals(job + " caller-job", lines.getLast());
  }

  /** Nothing is at the display: the client looks for its cookie only. */
  @Test
  void aSessionInAJobHasTheDisplayOfItsClient(Stage stage) throws IOException {
    String session =
        "display=${DISPLAY#*:}; exec 3<>/dev/tcp/localhost/$((6000 + ${display%.*})) && echo open;"
            + " echo $DISPLAY; xauth -q list $DISPLAY | wc -l; echo $SLURM_JOB_ID";
    try (var jobs = stage.begin(1, User.ALICE, stage.node1(), stage.node2());
        var _ = SecondSshd.start(stage.node2(), "keyboard-interactive", "", module)) {
      var ssh = new ArrayList<>(SecondSshd.ssh("node2", "bash -c '" + session + "'"));
      ssh.add(ssh.indexOf("ssh") + 1, "-Y");
      ssh.addAll(1, List.of("DISPLAY=localhost:77", "XAUTHORITY=/home/alice/cookies"));
      stage
          .node1()
          .shell(
              User.ALICE,
              "xauth -q -f ~/cookies add localhost:77 MIT-MAGIC-COOKIE-1 " + "0123".repeat(8))
          .outOrThrow("xauth");
      Result said =
          stage
              .startInJob(stage.node1(), jobs.newest(), User.ALICE, ssh.toArray(String[]::new))
              .await(DEADLINE);
      assertEquals(
          List.of("open", "localhost:10.0", "1", Long.toString(jobs.newest())),
          said.out().lines().toList(),
          said.err());
    }
  }

  @Test
  void suchASessionDiesWithItsJob(Stage stage) throws IOException {
    try (var jobs = stage.begin(1, User.ALICE, stage.node1(), stage.node2());
        var _ = SecondSshd.start(stage.node2(), "keyboard-interactive", "", module)) {
      Path told = stage.node2().file("/home/alice/second-factor");
      Files.deleteIfExists(told);
      List<String> ssh =
          SecondSshd.ssh("node2", "echo $$ > told; mv told second-factor; exec sleep 600");
      var running =
          stage.startInJob(stage.node1(), jobs.newest(), User.ALICE, ssh.toArray(String[]::new));
      Eventually.await(DEADLINE, () -> Files.exists(told), stage.cluster()::logs);
      long pid = Long.parseLong(Files.readString(told).strip());
      assertEquals("job " + jobs.newest(), Storm.place(stage.node2().cgroupOf(pid)));
      assertTrue(stage.agents().end(stage.node2(), jobs.newest()) > 0);
      assertFalse(ProcessStart.isAlive(pid));
      running.kill();
    }
  }

  @Test
  void aSessionHasTheJobsGroupAmongItsOwn(Stage stage) throws IOException {
    stage
        .agents()
        .begin(
            stage.node2(),
            BeginRequest.newBuilder()
                .setJobId(JOB_OF_THE_PROJECT)
                .setUid(User.ALICE.uid())
                .setGid(PROJECT)
                .build());
    try (var from = stage.begin(1, User.ALICE, stage.node1());
        var _ = SecondSshd.start(stage.node2(), "keyboard-interactive", authOptional(), module)) {
      String expected = "%1$d %1$d %2$d".formatted(User.ALICE.uid(), PROJECT);
      assertEquals(
          expected, fromJob(stage, from.newest(), "id -g; id -G").out().replace('\n', ' ').strip());
      assertEquals(
          expected,
          stage
              .startInJob(stage.node1(), from.newest(), User.ALICE, "ssh", "node2", "id -g; id -G")
              .await(DEADLINE)
              .out()
              .replace('\n', ' ')
              .strip());
    } finally {
      stage.agents().end(stage.node2(), JOB_OF_THE_PROJECT);
    }
  }
}
