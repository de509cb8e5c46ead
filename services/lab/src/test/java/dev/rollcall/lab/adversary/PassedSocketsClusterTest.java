package dev.rollcall.lab.adversary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.StepSocketFile;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.OpenJobs;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.scenario.OnStage;
import dev.rollcall.lab.scenario.Storm;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Protocol;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sockets that are not where they were made, and processes that are not who they were. */
@Tag("cluster")
@ExtendWith(OnStage.class)
class PassedSocketsClusterTest {
  private static final String PASS = "socket_pass.py";
  private static final String AT = Attack.MEETING + "/passed";
  private static final String NODE2 = NodeAddress.NODE2.v4();

  @BeforeEach
  void ready(Stage stage) throws IOException {
    stage.awaitConnection();
    Attack.install(stage.node1(), PASS);
    Files.deleteIfExists(stage.node1().file(AT));
  }

  private static Attack giver(Stage stage, long job, User user, String mode) {
    return Attack.inJob(stage, stage.node1(), job, user, PASS, mode, AT, NODE2, "22").says("call ");
  }

  /** ssh over a socket that it is handed, from a step of a job. */
  private static Result ssh(Stage stage, long job, User user) {
    return stage
        .node1()
        .startIn(
            stage.agents().beginStep(stage.node1(), job),
            user,
            "ssh",
            "-o",
            "ProxyUseFdpass=yes",
            "-o",
            "ProxyCommand=python3 /run/" + PASS + " ssh " + AT,
            "-o",
            "StrictHostKeyChecking=no",
            user.login() + "@node2",
            "grep ^0:: /proc/self/cgroup")
        .await(Attack.DEADLINE);
  }

  private static String place(Stage stage, Result ssh) {
    return Storm.place(stage.node2().below(ssh.outOrThrow("ssh").strip()));
  }

  @Test
  void aCallerThatPassesItsSocketOnAndExitsIsStillTheCaller(Stage stage) {
    try (var bob = Bystander.of(stage);
        var hers = stage.begin(2, User.ALICE, stage.node1(), stage.node2());
        var giver = giver(stage, hers.oldest(), User.ALICE, "give")) {
      Connection call = Answers.connection(giver.told("call"));
      try (var keeper =
          Attack.inJob(stage, stage.node1(), hers.newest(), User.ALICE, PASS, "keep", AT)) {
        keeper.says("kept");
        assertTrue(giver.end().ok(), "the caller has not ended");
        assertEquals(
            "job " + hers.oldest() + " of uid 2001", Answers.of(stage, stage.node2(), call));
      }
      bob.noticesNothing();
    }
  }

  @Test
  void aDescriptorPassedToAnotherJobIsTheCallOfTheJobThatMadeIt(Stage stage) {
    try (var hers = stage.begin(2, User.ALICE, stage.node1(), stage.node2());
        var giver = giver(stage, hers.oldest(), User.ALICE, "close")) {
      assertEquals("job " + hers.oldest(), place(stage, ssh(stage, hers.newest(), User.ALICE)));
      giver.isAtWork();
    }
  }

  /** Bob makes a call and lets alice log in over it: she must not get into a job of his. */
  @Test
  void aDescriptorPassedToAnotherUserLetsThemIntoTheirOwnJobsAlone(Stage stage) {
    try (var bob = Bystander.of(stage);
        var hers = stage.begin(2, User.ALICE, stage.node1(), stage.node2());
        var giver = giver(stage, bob.jobs().oldest(), User.BOB, "close")) {
      // The caller's job is not hers: as if nobody knew.
      assertEquals("job " + hers.newest(), place(stage, ssh(stage, hers.oldest(), User.ALICE)));
      giver.isAtWork();
      bob.noticesNothing();
    }
  }

  /** The same user name, another's key: what alice's process calls is a call of alice's job. */
  @Test
  void aProcessOfAlicesThatLogsInAsBobEntersABobsJobAndNotHerOwn(Stage stage) throws IOException {
    Path key = stage.node1().file("/home/bob/.ssh/id_ed25519");
    Path hers = stage.node1().file("/home/alice/bobs-key");
    try (var bob = Bystander.of(stage);
        OpenJobs jobs = stage.begin(2, User.ALICE, stage.node1(), stage.node2())) {
      Files.write(hers, Files.readAllBytes(key));
      stage
          .node1()
          .shell(User.ROOT, "chown alice /home/alice/bobs-key; chmod 600 /home/alice/bobs-key")
          .outOrThrow("the key");
      Result ssh =
          Attack.sshInJob(
              stage,
              stage.node1(),
              jobs.oldest(),
              User.ALICE,
              "-i",
              "/home/alice/bobs-key",
              "bob@node2",
              "id -u; grep ^0:: /proc/self/cgroup");
      List<String> lines = ssh.outOrThrow("ssh as bob").lines().toList();
      assertEquals("2002", lines.getFirst());
      assertEquals("job " + bob.jobs().newest(), Storm.place(stage.node2().below(lines.getLast())));
      bob.noticesNothing();
    } finally {
      Files.deleteIfExists(hers);
    }
  }

  @Test
  void aSocketMadeBeforeItsProcessWasInAJobIsACallOfTheJobItConnectsIn(Stage stage)
      throws IOException {
    ClusterNode node = stage.node1();
    Path go = node.file(Attack.MEETING + "/go");
    Files.deleteIfExists(go);
    try (var hers = stage.begin(1, User.ALICE, node);
        var early = Attack.outside(node, User.ALICE, "call.py", "make", "-", "0", NODE2, "22");
        var late = Attack.outside(node, User.ALICE, "call.py", "hold", "-", "0", NODE2, "22")) {
      early.says("made");
      late.says("call ");
      StepSocketFile step = stage.agents().beginStep(node, hers.oldest());
      for (Path procs : step.procs()) {
        Files.writeString(procs, Long.toString(early.program().pid()));
        Files.writeString(procs, Long.toString(late.program().pid()));
      }
      Files.createFile(go);
      early.says("call ");
      assertEquals(
          "job " + hers.oldest() + " of uid 2001",
          Answers.of(stage, stage.node2(), Answers.connection(early.told("call"))));
      // A call that was made before stays what it was: of no job.
      assertEquals(
          "no job of uid 2001",
          Answers.of(stage, stage.node2(), Answers.connection(late.told("call"))));
    } finally {
      Files.deleteIfExists(go);
    }
  }

  @Test
  void aReusedPidIsNotTakenForTheCaller(Stage stage) {
    ClusterNode node = stage.node1();
    try (var bob = Bystander.of(stage);
        var hers = stage.begin(1, User.ALICE, node);
        var giver = giver(stage, hers.oldest(), User.ALICE, "give")) {
      Connection call = Answers.connection(giver.told("call"));
      long pid = giver.program().pid();
      try (var keeper = Attack.inJob(stage, node, hers.oldest(), User.ALICE, PASS, "keep", AT)) {
        keeper.says("kept");
        assertTrue(giver.end().ok(), "the caller has not ended");
        try (var other =
            Attack.through(
                stage.agents().beginStep(node, bob.jobs().newest()),
                node,
                User.ROOT,
                "same_pid.py",
                Long.toString(pid),
                Integer.toString(User.BOB.uid()))) {
          other.says("running " + pid);
          var answer = stage.agents().identify(stage.node2(), call).getFound();
          assertEquals(hers.oldest(), answer.getJob().getJobId(), answer::toString);
          assertEquals(User.ALICE.uid(), answer.getUid(), answer::toString);
          // Who asks about the pid must see that it is not that process any more.
          assertEquals(pid, answer.getProcess().getPid());
          assertTrue(
              answer.getProcess().getStartTime() < startTime(pid), "the start time is the later's");
        }
      }
      bob.noticesNothing();
    }
  }

  private static long startTime(long pid) {
    Result stat = Running.run(Attack.DEADLINE, List.of("cat", "/proc/" + pid + "/stat"));
    String text = stat.outOrThrow("stat of " + pid);
    return Long.parseLong(text.substring(text.lastIndexOf(')') + 2).split(" ", -1)[19]);
  }

  /** UDP callers are found by the inode number of their socket, among what processes hold. */
  @Test
  void anInodeTwinIsNotTakenForTheSocket(Stage stage) {
    ClusterNode node = stage.node1();
    String numbered = "/run/numbered";
    try (var files = Attack.outside(node, User.ROOT, "numbered.py", numbered).says("mounted");
        var hers = stage.begin(2, User.ALICE, node);
        var real =
            Attack.inJob(stage, node, hers.newest(), User.ALICE, "datagram.py", NODE2, "9999")) {
      real.says("call ");
      try (var twin =
          Attack.inJob(
              stage,
              node,
              hers.oldest(),
              User.ALICE,
              "datagram.py",
              "twin",
              real.told("inode"),
              "/home/alice",
              numbered)) {
        twin.says("twins");
        assertEquals(real.told("inode"), twin.told("number"));
        Connection tcp = Answers.connection(real.told("call"));
        var call = new Connection(Protocol.UDP, tcp.local(), tcp.remote());
        assertEquals(
            "job " + hers.newest() + " of uid 2001", Answers.of(stage, stage.node2(), call));
        real.kill();
        real.program().await(Attack.DEADLINE);
        assertEquals("unknown", Answers.of(stage, node, call));
        twin.isAtWork();
        files.isAtWork();
      }
    } finally {
      var _ = node.shell(User.ROOT, "umount -l " + numbered);
    }
  }
}
